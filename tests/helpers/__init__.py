"""Free ports and memory disks for tests."""
