"""The documentation: pages in Markdown, and `pages`, which makes the rest of them from the library's own records."""
