"""The five papers' numbers as printed: their tables as data, shown beside runs, and the judges that they name."""

from veridical.published.tables import names, papers, table

__all__ = ["names", "papers", "table"]
