"""Commitments, verifiable shuffles, exported records and their verification."""
