"""Serve plain HTTP: pages, public data, uploads, files."""
