"""Install the companion on a Raspberry Pi or Debian machine, and uninstall it."""
