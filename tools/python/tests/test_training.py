"""The training script of the README, with sb3-contrib if it is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "examples" / "train.py"


def test_a_curriculum_trains_and_is_evaluated() -> None:
    pytest.importorskip("sb3_contrib")
    run = subprocess.run([sys.executable, str(SCRIPT), "1024"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    for opponent in ("random", "skill-3"):
        report = run.stdout.split(f"against {opponent}:\n")[1]
        assert report.startswith("100 games: ") and "all phases: good moves " in report and ", perfect moves " in report
