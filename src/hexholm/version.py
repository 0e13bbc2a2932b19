"""The version of Hexholm, by itself: the rules name it in their results and import nothing above them."""

__version__ = "0.1.0"
