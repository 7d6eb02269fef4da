"""The Lab: training and measuring agents in its own process while the person plays."""
