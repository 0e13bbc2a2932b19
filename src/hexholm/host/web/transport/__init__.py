"""What bytes pass on their way in and out: HTTP and sockets at their quickest, and answers that nobody reads.

Begin with `http_protocols.py`. Only the server and its sockets import this.
"""
