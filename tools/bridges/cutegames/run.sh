#!/bin/sh
# A match of Plumb against itself at 1500 Elo in cutegames, which speaks UGI; every opening with both colours:
#
#     tools/bridges/cutegames/run.sh [more options of cutegames]
#
# PLUMB and CUTEGAMES name the two programs if they are not on the PATH, GAMES the number of games (50). The engines and
# all other settings are in settings.json.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../arena.sh"
cutegames=$(found "${CUTEGAMES:-cutegames}" CUTEGAMES)

# cutegames does not search the PATH: the paths in settings.json are relative to the folder in which it is started.
ln -s "$here/../openings.epd" "$run/openings.epd"
cd "$run"
"$cutegames" --settings "$here/settings.json" --games "${GAMES:-50}" "$@"
