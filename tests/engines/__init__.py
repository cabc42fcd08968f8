"""The pages in the engines of Safari and Firefox, at an address that is no secure context."""
