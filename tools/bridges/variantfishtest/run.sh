#!/bin/sh
# A match of Plumb against itself at 1500 Elo in variantfishtest, every opening with both colours:
#
#     tools/bridges/variantfishtest/run.sh [more options of variantfishtest]
#
# VARIANTFISHTEST names the path of variantfishtest.py, PLUMB the engine if it is not on the PATH, GAMES the number of
# games (50).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../arena.sh"
script=$(found "${VARIANTFISHTEST:-variantfishtest.py}" VARIANTFISHTEST)

python3 "$script" "$run/plumb" "$run/plumb" -v cfour -n "${GAMES:-50}" -t 5000 -i 50 -b "$here/../openings.epd" \
    --engine-options 1:Hash=64 --alias 1:Plumb \
    --engine-options 2:Hash=16 --engine-options 2:UCI_LimitStrength=true --engine-options 2:UCI_Elo=1500 \
    --alias "2:Plumb 1500" "$@"
