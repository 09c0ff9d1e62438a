#!/bin/sh
# Checks the Python package as its users have it: builds the wheel, installs it into a virtual environment and runs the
# tests, the README, both notebooks, the agents of tools/bridges and the type checkers there.
#
#     tools/python/check.sh [options of pytest]
#
# VENV names another folder for the environment, PYTHON another interpreter. The environment, of some 700 MB, is made the
# first time and whenever the lists of requirements have changed. A package that cannot be installed is a failure.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
venv=${VENV:-${TMPDIR:-/tmp}/plumb-python-venv}
python=${PYTHON:-python3}

if ! cat "$here"/requirements*.txt | cmp -s - "$venv/requirements.txt"; then
    # On Debian and Ubuntu, python3 makes no virtual environments without the package python3-venv.
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        as_root=
        [ "$(id -u)" = 0 ] || as_root=sudo
        $as_root apt-get update
        $as_root apt-get install -y python3 python3-venv
    fi
    "$python" -m venv --clear "$venv"
    "$venv/bin/python" -m pip install --disable-pip-version-check --quiet -r "$here/requirements.txt"
    "$venv/bin/python" -m pip install --disable-pip-version-check --quiet --no-deps \
        -r "$here/requirements-without-dependencies.txt"
    # Written last, so that an interrupted installation is repeated.
    cat "$here"/requirements*.txt >"$venv/requirements.txt"
fi

wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
(cd "$here" && "$venv/bin/maturin" build --release --quiet --out "$wheels")
"$venv/bin/python" -m pip install --disable-pip-version-check --quiet --no-deps --force-reinstall "$wheels"/*.whl
ls -l "$wheels"

# What the tests use must be there: a test without its package would be skipped. Only the training script is run where sb3-contrib, with
# some gigabytes of torch, is installed: `"$VENV/bin/python" -m pip install sb3-contrib`.
"$venv/bin/python" -c 'import anywidget, bitbully, gymnasium, kaggle_environments, matplotlib, nbclient, numpy, pandas, pettingzoo
import polars, pyarrow, pyffish, pyspiel, tqdm' >/dev/null 2>&1 ||
    { echo "a package that the tests need cannot be imported" >&2; exit 1; }

# The engine with faults, a program of the tests, is no part of the wheel.
(cd "$here/../.." && cargo build --release --quiet --package plumb-lab --example faulty-engine)

cd "$here/tests"
PATH=$venv/bin:${CARGO_TARGET_DIR:-$here/../../target}/release/examples:$PATH
export PATH
unset PLUMB PLUMB_LAB
python -m pytest -p no:cacheprovider "$@"
cd "$here"
mypy --strict python/plumb_engine
pyright
# A script of a user, who has the installed package.
cd tests
mypy --strict user_script.py
pyright user_script.py
