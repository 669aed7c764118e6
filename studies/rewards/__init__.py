"""What policies without sight earn by the rewards of training prompts."""
