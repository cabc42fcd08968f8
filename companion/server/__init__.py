"""What people's screens talk to: pages, the public stream, and the private channel of each seat."""
