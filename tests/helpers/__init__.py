"""Free ports, memory disks and quick PINs for tests."""
