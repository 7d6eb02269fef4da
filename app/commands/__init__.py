"""The commands of `kibitz`, one module for each group."""
