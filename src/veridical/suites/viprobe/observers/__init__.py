"""VI-Probe's embedded observers: one measures, one recites, four have learned, one has a chosen mechanism."""
