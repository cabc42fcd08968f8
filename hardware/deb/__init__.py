"""The Debian package: the program with all that it needs, for one kind of machine and one
Python.
"""
