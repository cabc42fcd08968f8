"""The HTTP server: connections, TLS, limits, headers, errors."""
