"""How explanations are marked: rubrics, strict verdicts, and a judge by rule."""
