"""What an operator sets, sees and does: settings, the log, figures, the process, compiled rules before the first guest.

Begin with `settings.py`. What is served of it is in `rest/server_status.py`; what operators do beside the server is
looked for in `operator_watch.py`. The web server, `local_server.py` and the command line import this; of the web server
it imports only limits and sanctions, from `admission/`, and what is logged of an error.
"""
