"""What `make trust`, `make bench`, `make boot` and developers run, and what draws photographs."""
