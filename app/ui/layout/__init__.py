"""What tables and widgets share: faces of cards, plain pictures, wording."""
