"""The Debian package: the program with its libraries, for one architecture and one Python."""
