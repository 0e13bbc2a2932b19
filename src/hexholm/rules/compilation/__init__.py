"""One source, two speeds: `kernels.py` registers functions, `compiler.py` compiles them, `mode.py` decides when.

`kernel_cache.py` is where compiled code lies.
"""
