"""Who may come in and how much they may ask for: identity, sanctions, limits, sockets, what is refused when it is busy.

Begin with `identity.py` and `limits.py`. The rest of the web server asks here; it imports nothing of it but
`error_fields.py`.
"""
