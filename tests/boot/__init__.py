"""`make boot`: the installed image is switched on in QEMU, played at, and its plug pulled."""
