"""The app in a browser (`kibitz serve`)."""
