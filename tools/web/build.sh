#!/bin/sh
# Builds the engine for WebAssembly, the npm package around it, and the page.
#
#   tools/web/build.sh            all of it
#   tools/web/build.sh engine     the npm package only
#
# Needed: Rust, Node 20 or later with npm. What else is needed is installed: the compiler's target, with rustup or else from
# Debian's packages `rustc-web`, `cargo-web`, `rust-web-src` and `lld`, and the program `wasm-bindgen`, with cargo.
set -eu
cd "$(dirname "$0")"
target=wasm32-unknown-unknown

# No path of this machine is to be in the module, and it is to be the same wherever it is built.
root=$(cd ../.. && pwd)
# The flags of the caller and these, with a character between them that no path has.
separator=$(printf '\037')
CARGO_ENCODED_RUSTFLAGS=
for flag in ${RUSTFLAGS:-} "--remap-path-prefix=$root=plumb" \
    "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo" "--remap-path-prefix=$(rustc --print sysroot)=rust"; do
    CARGO_ENCODED_RUSTFLAGS=$CARGO_ENCODED_RUSTFLAGS${CARGO_ENCODED_RUSTFLAGS:+$separator}$flag
done
export CARGO_ENCODED_RUSTFLAGS

# Compiles the module, by the first way that this machine has.
compile() {
    if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] ||
        { command -v rustup >/dev/null && rustup target add $target >&2; }; then
        (cd engine && cargo build --release --target $target)
        return
    fi
    if ! dpkg -s rustc-web cargo-web rust-web-src lld >/dev/null 2>&1; then
        if ! command -v apt-get >/dev/null; then
            echo "build.sh: Rust's target $target is missing: \`rustup target add $target\` installs it" >&2
            exit 1
        fi
        apt-get install -y rustc-web cargo-web rust-web-src lld >&2
    fi
    (
        cd engine
        PATH=/usr/bin:$PATH RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld \
            cargo build --release --target $target -Zbuild-std=std,panic_abort
    )
}

# Makes the module's JavaScript, with the version of `wasm-bindgen` that the module was compiled with.
bind() {
    version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p;}' engine/Cargo.lock)
    if [ "$(wasm-bindgen --version 2>/dev/null)" != "wasm-bindgen $version" ]; then
        echo "installing wasm-bindgen $version" >&2
        # Without optimisation, installing takes half the time. Each run takes half a second longer.
        cargo install wasm-bindgen-cli --version "$version" --debug >&2
    fi
    wasm-bindgen --target web --omit-default-module-path --remove-name-section --remove-producers-section \
        --out-dir engine/package/src/wasm "engine/target/$target/release/plumb_wasm.wasm"
}

compile
bind
[ -d node_modules ] || npm ci
npm run build --workspace engine/package
dist=engine/package/dist
chmod +x $dist/cli.js
cp engine/package/src/wasm/plumb_wasm_bg.wasm $dist/plumb.wasm
cp ../../src/book/7x6.book $dist/plumb.book
cp ../../LICENSE-MIT ../../LICENSE-APACHE engine/package/
if [ "${1:-all}" != engine ]; then
    npm run build --workspace page
    cp ../../src/book/7x6.book dist/plumb.book
fi
