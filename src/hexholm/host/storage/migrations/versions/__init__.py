"""The revisions. A file that was released is never changed; a new shape is a new file with the next number."""
