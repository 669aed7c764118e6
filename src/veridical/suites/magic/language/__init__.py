"""What sentences about our scenes state: words for things and their looks, the parts of a sentence, what is so."""
