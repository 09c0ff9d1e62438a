#!/bin/sh
# Checks the bridges against the real packages: installs those into a virtual environment, the first time and whenever
# requirements.txt has changed, and runs check.py there. A package that cannot be had is a failure.
#
#     PLUMB=path/of/plumb tools/bridges/check.sh [options of check.py]
#
# Without PLUMB it takes the release build of this checkout, else the `plumb` on the PATH. VENV names another folder for
# the environment.
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
    # Debian and Ubuntu have a python3 that cannot make environments until python3-venv is there.
    if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
        as_root=
        [ "$(id -u)" = 0 ] || as_root=sudo
        $as_root apt-get update
        $as_root apt-get install -y python3 python3-venv
    fi
    python3 -m venv --clear "$venv"
    "$venv/bin/python" -m pip install --disable-pip-version-check --quiet --no-deps -r "$here/requirements.txt"
    # Last, so that an installation that was broken off begins anew.
    cp "$here/requirements.txt" "$venv/requirements.txt"
fi

"$venv/bin/python" "$here/check.py" "$@" --require kaggle openspiel pettingzoo
