"""The same app in a browser (`kibitz serve`)."""
