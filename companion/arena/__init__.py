"""Play bots against bots and summarise the results."""
