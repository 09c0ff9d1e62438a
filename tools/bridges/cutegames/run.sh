#!/bin/sh
# A match of Plumb against itself at 1500 Elo in cutegames, which speaks UGI; every opening with both colours:
#
#     tools/bridges/cutegames/run.sh [more options of cutegames]
#
# PLUMB and CUTEGAMES name the two programs if they are not on the PATH, GAMES the number of games (50). Engines and
# everything else are entered in settings.json.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../arena.sh"
cutegames=$(found "${CUTEGAMES:-cutegames}" CUTEGAMES)

# cutegames does not search the PATH: the settings find engine and openings in the folder that it is started in.
ln -s "$here/../openings.epd" "$run/openings.epd"
cd "$run"
"$cutegames" --settings "$here/settings.json" --games "${GAMES:-50}" "$@"
