"""The program for Windows: a zip that needs nothing else, and its check under Wine."""
