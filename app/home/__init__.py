"""The home folder: paths, settings and log."""
