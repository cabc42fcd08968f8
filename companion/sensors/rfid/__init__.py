"""Tags on antenna loops: geometry, signal model, localisation, registration."""
