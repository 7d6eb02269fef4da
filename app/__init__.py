"""What a person sees: the command line, the screens, and the files that are kept."""

__version__ = "0.1.0"
