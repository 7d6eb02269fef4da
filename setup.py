"""Compiles the engine and the agents' hot parts where that is possible; everything else stands
in pyproject.toml.

mypyc turns the same source into C. Without a C compiler, or with KIBITZ_PLAIN=1, the same
package is installed in plain Python, which plays the same, only slower. An editable install
stays plain, so that a change to the source counts at once.
"""

import os
import sys
from glob import glob
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

BUILDING = {"bdist_wheel", "build", "build_ext"}
NOT_COMPILED = {os.path.join("engine", name) for name in ("__init__.py", "compiling.py")}
HOT_AGENTS = [
    "agents/odds.py",
    "agents/euchre/rules.py",
    "agents/euchre/count.py",
    "agents/fodinha/rules.py",
    "agents/notty/rules.py",
    "agents/smear/rules.py",
    "agents/search/endgame.py",
    "agents/euchre/search.py",
    "agents/notty/search.py",
    "agents/truco_full/search.py",
    "agents/search/agent.py",
    "agents/euchre/encoding.py",
    "agents/fodinha/encoding.py",
    "agents/notty/encoding.py",
    "agents/notty/hand_facts.py",
    "agents/smear/encoding.py",
    "agents/truco/encoding.py",
    "agents/truco_full/encoding.py",
    "agents/learners/field_encoding.py",
    "agents/learners/relabelling.py",
    "agents/rl/tables.py",
    "agents/match.py",
    "agents/learners/settings.py",
    "agents/learners/rewards.py",
    "agents/learners/row.py",
    "agents/learners/q_table.py",
    "agents/learners/steps.py",
    "agents/euchre/lookup.py",
    "agents/euchre/features.py",
    "agents/euchre/rewards.py",
    "agents/fodinha/features.py",
    "agents/fodinha/rewards.py",
    "agents/notty/features.py",
    "agents/notty/rewards.py",
    "agents/smear/features.py",
    "agents/smear/rewards.py",
    "agents/truco/features.py",
    "agents/truco/rewards.py",
    "agents/truco_full/features.py",
]
"""What look-ahead, self-play and Q-tables spend their time in. The rest is numpy's already."""


def compiled_modules() -> list[Extension]:
    """The modules for the C compiler; none to stay with plain Python."""
    if os.environ.get("KIBITZ_PLAIN") or not BUILDING & set(sys.argv):
        return []
    try:
        from mypyc.build import mypycify

        modules = set(glob("engine/**/*.py", recursive=True)) - NOT_COMPILED
        # Where this is built there is no numpy; the little they ask of it goes untyped.
        paths = ["--ignore-missing-imports", *sorted(modules), *HOT_AGENTS]
        extensions = list(mypycify(paths, opt_level="3", debug_level="0"))
    except (Exception, SystemExit) as error:
        print(f"Everything stays in plain Python: {error}", file=sys.stderr)
        return []
    if sys.platform != "win32":
        for extension in extensions:
            # The compiler may then inline mypyc's runtime: 5 to 9 % of a hand of Euchre.
            extension.extra_compile_args.append("-fvisibility=hidden")
    return extensions


class BuildAllOrNothing(build_ext):
    """Half a compiled program would not start, so a failure leaves none of it."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:
            print(f"Everything stays in plain Python: {error}", file=sys.stderr)
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []


setup(ext_modules=compiled_modules(), cmdclass={"build_ext": BuildAllOrNothing})
