# Sourced by the run.sh of each arena. Puts the engine, as `plumb`, at the front of the PATH, so that the settings need
# no paths. `run` is a temporary folder, removed when the script ends.

# found PROGRAM VARIABLE: prints the full path of a program; exits with a hint at VARIABLE if there is none.
found() {
    if [ -f "$1" ]; then # Not -x: a Python script need not be executable.
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
