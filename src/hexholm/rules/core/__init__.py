"""The compiled core: kernels over fixed-size records. Read `encoding.structs`, `phases`, `legal`, `step`."""
