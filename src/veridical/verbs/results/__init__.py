"""What a run on disk says: outcomes, status, comparisons, conditions, and the report."""
