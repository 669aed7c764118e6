"""Questions and pictures of others: GQA with AiR-D, and annotated releases."""
