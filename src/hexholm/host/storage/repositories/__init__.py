"""What a server asks of its storage beside the logs, a subject a file: guests, ratings, shown games.

Each stands on a `Storage`, which reads and writes for it. Tables and the web server import this.
"""
