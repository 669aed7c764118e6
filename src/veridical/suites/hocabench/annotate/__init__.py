"""The annotation pipeline: from raw clips to a labeled set, by models in four roles and people's votes."""
