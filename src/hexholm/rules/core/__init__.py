"""The compiled core: kernels over fixed-size records. Read `layout`, `phases`, `legal`, `apply` in that order."""
