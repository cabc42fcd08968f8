"""Install the package on a machine, and uninstall it without remains."""
