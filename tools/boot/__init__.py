"""`make boot`: the installed image is started in QEMU, played at, and its plug pulled."""
