"""One running table: what was submitted, kept, told, taken back and can be proved afterwards."""
