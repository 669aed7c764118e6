"""What every room may use: writing files whole, processes, Markdown, formats of numbers, SVG charts."""
