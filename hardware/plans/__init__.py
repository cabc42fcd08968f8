"""The boards' plans: `python -m hardware.plans` makes them from pins.toml and parts.toml."""
