"""How published things behave: pure functions of what is known, without files, network or clock."""
