"""Training learners."""
