"""What the pictures are drawn with: colors, lettering, terrains, small signs, the sea, and how SVG is written.

Begin with `sheet.py`. Only `pictures` imports this.
"""
