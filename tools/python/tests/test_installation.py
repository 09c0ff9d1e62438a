"""The programs are found where installers put them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import plumb_engine


@pytest.mark.skipif(os.name == "nt", reason="programs have other names on Windows")
@pytest.mark.parametrize(
    ("site", "record"),
    [
        # `pip install --target` records wrong paths.
        ("", "../../bin/plumb"),
        # `pip install --user` and `uv run --with`.
        ("lib/python/site-packages", "../../../bin/plumb"),
        # A copied package without RECORD.
        ("", None),
    ],
)
def test_the_programs_are_found(site: str, record: str | None, tmp_path: Path) -> None:
    shutil.copytree(Path(plumb_engine.__file__).parent, tmp_path / site / "plumb_engine")
    if record is not None:
        metadata = tmp_path / site / "plumb_engine-0.2.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.4\nName: plumb-engine\nVersion: 0.2.0\n", encoding="utf-8")
        (metadata / "RECORD").write_text(f"{record},,\n", encoding="utf-8")
    program = tmp_path / "bin" / "plumb"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    code = "import sys; sys.path.insert(0, sys.argv[1]); import plumb_engine.engine as engine; print(engine.find_program('plumb', 'NO_VARIABLE'))"
    # `-S` hides the virtual environment of the tests.
    run = subprocess.run([sys.executable, "-S", "-c", code, str(tmp_path / site)], capture_output=True, text=True, check=True)
    assert os.path.realpath(run.stdout.strip()) == os.path.realpath(program)
