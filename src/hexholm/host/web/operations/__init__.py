"""What an operator sets and sees: settings, the log, figures, the process, compiled rules before the first guest.

Begin with `settings.py`. What is served of it is in `rest/server_status.py`. The web server, `local_server.py` and the
command line import this; of the web server it imports only
limits, from `admission/`, and what is logged of an error.
"""
