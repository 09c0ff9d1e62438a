# Read by the run.sh of each arena. Puts the engine, as `plumb`, at the front of the PATH, so that the configurations
# need no paths. `run` is a folder that lasts as long as the run.

# found PROGRAM VARIABLE: the full path of a program, or an end that says how to name another.
found() {
    if [ -f "$1" ]; then # A script need not be executable.
        realpath "$1"
    elif command -v "$1" >/dev/null; then
        realpath "$(command -v "$1")"
    else
        echo "cannot find \`$1\`; set the environment variable $2 to its path" >&2
        exit 1
    fi
}

program=$(found "${PLUMB:-plumb}" PLUMB)
run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT
trap 'exit 1' HUP INT TERM
ln -s "$program" "$run/plumb"
PATH=$run:$PATH
