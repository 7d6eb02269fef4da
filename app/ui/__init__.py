"""The Textual app: screens, widgets and tables."""
