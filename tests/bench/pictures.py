"""Pictures of the screens: `make pictures`.

The snapshots of the tests are what the real app drew. They become PNG files in
build/pictures, where rsvg-convert (Debian: librsvg2-bin, fonts-firacode) is installed.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SNAPSHOTS = ROOT / "tests" / "app" / "snapshots"
PICTURES = ROOT / "build" / "pictures"
WIDTH = 1200


def picture(snapshot: Path, converter: str) -> Path:
    """Textual writes blanks that only browsers keep; plain ones have to be kept by name."""
    text = snapshot.read_text(encoding="utf-8")
    text = text.replace("<text ", '<text xml:space="preserve" ').replace("&#160;", " ")
    made = PICTURES / f"{snapshot.stem}.png"
    command = [converter, "-w", str(WIDTH), "-o", str(made)]
    subprocess.run(command, input=text.encode(), check=True)
    return made


def main() -> None:
    converter = shutil.which("rsvg-convert")
    if converter is None:
        sys.exit("Pictures need rsvg-convert; install it (on Debian: librsvg2-bin).")
    PICTURES.mkdir(parents=True, exist_ok=True)
    for snapshot in sorted(SNAPSHOTS.glob("*.svg")):
        print(picture(snapshot, converter).relative_to(ROOT))


if __name__ == "__main__":
    main()
