"""What is served over plain HTTP: pages, public data, uploads, files."""
