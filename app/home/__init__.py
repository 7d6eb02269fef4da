"""The home folder: paths, settings, log and doctor."""
