"""How MagiC shows what came out."""
