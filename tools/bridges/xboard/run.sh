#!/bin/sh
# Plumb in XBoard, through the adapter uci2wb: a game against it, or with `-matchGames` games of Plumb against itself.
#
#     tools/bridges/xboard/run.sh [more options of XBoard]
#     tools/bridges/xboard/run.sh -matchGames 2 -saveGameFile games.pgn
#
# PLUMB, XBOARD and UCI2WB name the three programs if they are not on the PATH. The settings are in plumb.ini.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../arena.sh"
PATH=$PATH:/usr/games # Debian installs both programs there.
xboard=$(found "${XBOARD:-xboard}" XBOARD)
uci2wb=$(found "${UCI2WB:-uci2wb}" UCI2WB)
ln -s "$uci2wb" "$run/uci2wb"

"$xboard" "@$here/plumb.ini" "$@"
