"""Tags under pieces: which tag is under which piece."""
