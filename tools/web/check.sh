#!/bin/sh
# Checks the engine for WebAssembly, its npm package and the page: builds them, compares the page with the one that is kept
# with the sources, and runs the tests in Node, in a real Chromium and in a real Firefox.
#
# Needed: what build.sh needs, Chromium and Firefox, which are installed from Debian's packages if they are missing. CHROMIUM
# and FIREFOX name others.
set -eu
cd "$(dirname "$0")"

if [ -z "${CHROMIUM:-}" ] && ! [ -x /usr/bin/chromium ]; then
    apt-get update >&2 && apt-get install -y chromium >&2
fi
if [ -z "${FIREFOX:-}" ] && ! [ -x /usr/bin/firefox-esr ]; then
    apt-get update >&2 && apt-get install -y firefox-esr >&2
fi

# The page without what depends on the version of the compiler: the module, and the hashes of the scripts around it.
normalised() { sed -E 's/[^" ]{5000,}//g; s/sha256-[A-Za-z0-9+\/=]+//g' "$1"; }
kept=$(mktemp)
trap 'rm -f "$kept"' EXIT
normalised dist/page.html >"$kept"
./build.sh
if ! normalised dist/page.html | cmp -s - "$kept"; then
    echo "check.sh: tools/web/dist/page.html is not that of these sources; tools/web/build.sh makes it" >&2
    exit 1
fi

compressed=$(gzip -9c engine/package/dist/plumb.wasm | wc -c)
echo "plumb.wasm: $compressed bytes compressed, of 500000 allowed; page.html: $(wc -c <dist/page.html) bytes"
[ "$compressed" -le 500000 ]

cargo fmt --manifest-path engine/Cargo.toml --check
cargo clippy --manifest-path engine/Cargo.toml --release --target wasm32-unknown-unknown -- -D warnings
npm run check
npm test
npm test --workspace engine/package
(cd engine/package && npm pack --dry-run)

# The dialogues of the native program, but those about its arguments, files, threads, bytes that are no text and tables past
# what 32 bits hold, and those in which lines are answered in the middle of a search.
PLUMB_UNDER_TEST=$PWD/engine/package/dist/cli.js cargo test --manifest-path ../../Cargo.toml --package plumb-engine \
    --test it dialogue:: -- --skip logging:: --skip command_line:: --skip until_it_is_closed --skip four_threads \
    --skip many_games_in_a_row --skip a_book_file_is --skip closed_stdout --skip not_utf8 \
    --skip changed_lines --skip more_threads --skip a_table_that_cannot_be_allocated
