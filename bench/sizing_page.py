def page(x): return ""
