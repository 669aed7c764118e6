"""Training and testing the learned observers: training diets, pictures, the network, the study."""
