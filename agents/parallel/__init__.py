"""Running work in parts: in this process, in worker processes or on a cluster."""
