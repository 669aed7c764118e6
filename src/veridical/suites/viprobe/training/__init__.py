"""Training the learned observers, and examining them: what each is taught, the pictures, the network, the study."""
