#!/bin/sh
# A match of Plumb against itself at 1500 Elo in cutechess-cli, every opening with both colours:
#
#     tools/bridges/cutechess/run.sh [more options of cutechess-cli]
#
# PLUMB and CUTECHESS name the two programs if they are not on the PATH, GAMES the number of games (50). cutechess-cli
# must know the variant `cfour`, as 1.5.1 does. The engines are in engines.json.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../arena.sh"
cutechess=$(found "${CUTECHESS:-cutechess-cli}" CUTECHESS)

# cutechess-cli reads engines.json from the folder in which it is started.
cd "$here"
"$cutechess" -variant cfour -engine conf=Plumb -engine "conf=Plumb 1500" -each tc=5+0.05 \
    -openings file=../openings.epd format=epd order=sequential -repeat -games "${GAMES:-50}" -recover "$@"
