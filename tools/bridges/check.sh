#!/bin/sh
# Checks the bridges against the real packages: installs them into a virtual environment, the first time and whenever
# requirements.txt has changed, and runs check.py there. A package that cannot be installed is a failure.
#
#     PLUMB=path/of/plumb tools/bridges/check.sh [options of check.py]
#
# The engine is $PLUMB, else the release build of this checkout, else the `plumb` on the PATH. VENV names another folder
# for the environment.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
venv=${VENV:-${TMPDIR:-/tmp}/plumb-bridges-venv}

built=${CARGO_TARGET_DIR:-$here/../../target}/release/plumb
if [ -z "${PLUMB:-}" ] && [ -x "$built" ]; then
    PLUMB=$built
fi
. "$here/arena.sh"
PLUMB=$program
export PLUMB

if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
    # On Debian and Ubuntu, python3 makes no virtual environments without the package python3-venv.
    if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
        as_root=
        [ "$(id -u)" = 0 ] || as_root=sudo
        $as_root apt-get update
        $as_root apt-get install -y python3 python3-venv
    fi
    python3 -m venv --clear "$venv"
    "$venv/bin/python" -m pip install --disable-pip-version-check --quiet --no-deps -r "$here/requirements.txt"
    # Copied last, so that an interrupted installation is repeated.
    cp "$here/requirements.txt" "$venv/requirements.txt"
fi

"$venv/bin/python" "$here/check.py" "$@" --require kaggle openspiel pettingzoo
