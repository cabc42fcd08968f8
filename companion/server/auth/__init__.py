"""Authenticate phones and displays, and authorize requests: keys, codes, PINs, tickets."""
