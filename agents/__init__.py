"""Who decides.

Every matrix here is small: several threads for one product cost more than they bring, so
numpy's linear algebra is told to use one, unless somebody has said otherwise. It reads this
when numpy is first imported, in this process and in the workers that it starts.
"""

from os import environ

for _library in ("OPENBLAS", "MKL", "OMP"):
    environ.setdefault(f"{_library}_NUM_THREADS", "1")
