"""Who may do what: keys, join codes, PINs, tickets."""
