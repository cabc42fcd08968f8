"""Authorize requests: keys, join codes, PINs, tickets."""
