"""Writes an agent for Kaggle's ConnectX as a single file: the installed package plumb-engine is inside, without its programs.

    python tools/bridges/kaggle_submission.py main.py

The file runs on machines of the same kind. It thinks for a number of positions that takes some tenths of a second.
"""

import base64
import io
import pathlib
import sys
import zipfile

import plumb_engine

AGENT = '''
import atexit, base64, io, shutil, sys, tempfile, zipfile

_folder = tempfile.mkdtemp(prefix="plumb-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
zipfile.ZipFile(io.BytesIO(base64.b85decode(PACKAGE))).extractall(_folder)
sys.path.insert(0, _folder)
import plumb_engine

_player = plumb_engine.Player(20, nodes=1_000_000)


def agent(observation, configuration):
    """The column to play."""
    columns, rows, in_a_row = configuration["columns"], configuration["rows"], configuration["inarow"]
    if in_a_row != 4:
        raise ValueError(f"Plumb plays ConnectX with 4 in a row only; this game has {in_a_row} in a row")
    return _player(plumb_engine.Position.from_kaggle(observation, board=f"{columns}x{rows}"))
'''


def main(path):
    """Writes the agent to `path`."""
    package = pathlib.Path(plumb_engine.__file__).parent
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for source in sorted(package.rglob("*")):
            if source.suffix in (".py", ".so", ".pyd"):
                file.write(source, source.relative_to(package.parent))
    text = base64.b85encode(archive.getvalue()).decode()
    pathlib.Path(path).write_text(f"PACKAGE = {text!r}\n{AGENT}", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("expected the name of the file to write, such as main.py")
    main(sys.argv[1])
