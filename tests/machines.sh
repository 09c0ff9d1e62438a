#!/bin/sh
# Builds and tests Plumb for other targets, in emulators where needed.
#
#   tests/machines.sh                     all targets
#   tests/machines.sh arm windows         some targets: arm, windows, x86, static, oldest
#
#   arm      64-bit Arm, in QEMU
#   windows  64-bit Windows, in Wine
#   x86      32-bit x86, in QEMU
#   static   64-bit x86 with musl, linked statically
#   oldest   the oldest Rust that Cargo.toml promises
#
# Requires Debian or Ubuntu on x86-64, root or sudo, and rustup. Installs missing packages. All targets take about an
# hour on two cores, mostly for the search tests on emulated Arm.
set -eu
# Emulated machines are slow.
export PLUMB_TEST_TIMEOUT=120
cd "$(dirname "$0")/.."
target_folder=${CARGO_TARGET_DIR:-$PWD/target}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

step() { printf '\n== %s\n' "$*"; }

# Installs Debian packages that are missing.
need() {
    for package; do
        dpkg -s "$package" >/dev/null 2>&1 || missing="${missing:-} $package"
    done
    [ -n "${missing:-}" ] || return 0
    as_root=
    [ "$(id -u)" = 0 ] || as_root=sudo
    $as_root apt-get update
    # shellcheck disable=SC2086 # one word for each package
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y --no-install-recommends $missing
    missing=
}

# Runs the protocol dialogues with the program at this path. The tests themselves run on this machine.
dialogues_with() { PLUMB_UNDER_TEST=$1 cargo test --package plumb-engine --test it dialogue::; }

# Plays a match between the engine with this command and `skill-10` of this machine.
match_with() {
    cargo build --release --workspace
    PATH=$target_folder/release:$PATH plumb-lab match --engine "name=other machine,cmd=$1" --engine skill-10 \
        --each nodes=3000,timemargin=5000 --rounds 10 --openings random --concurrency 2 --report-every 0
}

# Builds for a target and tests it in an emulator.
emulated() {
    target=$1 emulator=$2
    rustup target add "$target"
    cargo build --release --workspace --target "$target"
    program=$scratch/plumb-$target
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$emulator" "$target_folder/$target/release/plumb" >"$program"
    chmod +x "$program"
    "$program" bench | grep 'Nodes searched  : 2549263'
    dialogues_with "$program"
    match_with "$program"
}

run_arm() {
    step "64-bit Arm"
    need gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER='qemu-aarch64 -L /usr/aarch64-linux-gnu'
    emulated aarch64-unknown-linux-gnu "$CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER"
    cargo test --target aarch64-unknown-linux-gnu --package plumb-protocol
    cargo test --target aarch64-unknown-linux-gnu --package plumb-engine --lib
}

run_x86() {
    step "32-bit x86"
    need gcc-i686-linux-gnu libc6-dev-i386-cross qemu-user
    export CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_LINKER=i686-linux-gnu-gcc
    export CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_RUNNER='qemu-i386 -L /usr/i686-linux-gnu'
    emulated i686-unknown-linux-gnu "$CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_RUNNER"
    cargo test --target i686-unknown-linux-gnu --package plumb-engine --lib -- table:: board:: book:: daemon::
}

run_windows() {
    step "64-bit Windows"
    need wine64 wine gcc-mingw-w64-x86-64
    rustup target add x86_64-pc-windows-gnu
    cargo build --release --workspace --target x86_64-pc-windows-gnu
    export WINEDEBUG=-all WINEPREFIX="$scratch/wine" CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine
    wineboot --init
    # Wine 8 lacks the system library that gives Rust programs random numbers.
    library=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
    if ! [ -e "$library" ]; then
        cat >"$scratch/random.c" <<'END'
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return RtlGenRandom(data, (ULONG)length); }
END
        x86_64-w64-mingw32-gcc -shared -O2 -o "$library" "$scratch/random.c" -ladvapi32
    fi
    folder="$scratch/Bäume und Blätter"
    mkdir "$folder"
    cp "$target_folder"/x86_64-pc-windows-gnu/release/plumb*.exe "$folder"
    (
        cd "$folder"
        wine plumb.exe bench | grep 'Nodes searched  : 2549263'
        wine plumb-lab.exe match --engine plumb --engine skill-10 --each st=0.02,timemargin=2000 --rounds 25 \
            --openings random --concurrency 2 --report-every 0 --out 'Ergebnis mit Ü'
        [ "$(grep -c '"result"' 'Ergebnis mit Ü/match.jsonl')" -ge 50 ]
    )
    cargo test --target x86_64-pc-windows-gnu --package plumb-protocol --package plumb-engine
}

run_static() {
    step "64-bit x86 with musl"
    need musl-tools file
    rustup target add x86_64-unknown-linux-musl
    cargo build --release --workspace --target x86_64-unknown-linux-musl
    program=$target_folder/x86_64-unknown-linux-musl/release/plumb
    file "$program" | grep 'static'
    "$program" bench | grep 'Nodes searched  : 2549263'
    dialogues_with "$program"
}

run_oldest() {
    version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    step "Rust $version"
    rustup toolchain install "$version" --profile minimal
    CARGO_TARGET_DIR=$target_folder/oldest cargo "+$version" test --workspace
}

[ $# -gt 0 ] || set -- static oldest windows x86 arm
for machine; do
    case $machine in
    arm | windows | x86 | static | oldest) ;;
    *)
        echo "machines.sh: no machine \`$machine\`: expected arm, windows, x86, static or oldest" >&2
        exit 2
        ;;
    esac
done
for machine; do "run_$machine"; done
