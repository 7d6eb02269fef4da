"""The agents of Kibitz: programs that play, learn, train and are measured.

All matrices here are small, and several threads for one product cost more than they save. So
numpy's linear algebra uses one thread unless the environment sets another number. numpy reads
these variables when it is first imported, in this process and in the workers it starts.
"""

from os import environ

for _library in ("OPENBLAS", "MKL", "OMP"):
    environ.setdefault(f"{_library}_NUM_THREADS", "1")
