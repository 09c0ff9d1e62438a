#!/usr/bin/env bash
# A run on a real Slurm that loses a task and a node in the middle, resumed and merged, must equal an undivided run.
#
#   check.sh [PLUMB-LAB]     [default: target/release/plumb-lab of this checkout], with plumb beside it
#
# It starts a cluster of two nodes on this machine (local-slurm.sh) and ends it, whatever happens. About two minutes of
# two processors.
set -euo pipefail
self=$(cd "$(dirname "$0")" && pwd)
lab=${1:-$self/../../target/release/plumb-lab}
work=$(mktemp -d)
export PATH="$PATH:/usr/sbin:/sbin"
# From here on no command can reach another cluster.
export SLURM_CONF="$work/slurm/slurm.conf"

finish() {
  code=$?
  [ $code = 0 ] || tail -n 20 "$work"/run/logs/*.log 2>/dev/null || true
  scancel --me 2>/dev/null || true
  "$self/local-slurm.sh" stop "$work/slurm"
  rm -rf "$work"
  exit $code
}
trap finish EXIT
trap 'exit 130' INT TERM

fail() { echo "check.sh: $*" >&2; exit 1; }
# Waits for a condition, which is a command, for up to ten minutes.
await() {
  for _ in $(seq 6000); do
    if "$@"; then return; fi
    sleep 0.1
  done
  fail "waited in vain: $*"
}
is_idle() { local left; left=$(squeue -h) && [ -z "$left" ]; }
# The games by number, without the times, which are all that may differ.
contents() {
  tail -n +2 "$1/match.jsonl" | sed -E 's/"(time_ms|own_ms|clock_ms|seconds)":[-0-9.]+//g; s/"started":"[^"]*"//' | sort -t: -k2 -n
}

"$self/local-slurm.sh" start "$work/slurm"

# Fixed nodes and seeds: every game is the same each time, wherever it is played.
match=(match --engine plumb,name=A,nodes=50000 --engine skill-12,name=B,nodes=15000
  --each option.Hash=1,option.OwnBook=false --openings random --plies 6 --rounds 200 --seed 7 --report-every 0)
submit=("$self/submit.sh" --dir "$work/run")
! "$self/submit.sh" --dir "$work/run" --tasks 2 --lab "$lab" -- match --engine plumb --engine skill-99 --each nodes=5 \
  2>"$work/refused" || fail "a command that cannot begin was submitted"
grep -q 'the command does not begin: .*`skill-99`: Skill Levels are' "$work/refused" || fail "why it cannot begin was not said: $(cat "$work/refused")"

echo "== 400 games in 8 tasks on 2 nodes"
"${submit[@]}" --tasks 8 --lab "$lab" -- "${match[@]}"
job=$(cat "$work/run/jobs")
# A task on each node, with more than 5 of its 50 games and fewer than 35, so that
# the task on node1 still runs when it is killed.
both_run() {
  ! is_idle || fail "all tasks have ended"
  killed=; lost=
  while read -r task node; do
    lines=$(wc -l 2>/dev/null <"$work/run/parts/$task/match.jsonl") || continue
    [ "$lines" -gt 6 ] && [ "$lines" -lt 36 ] || continue
    case $node in node1) killed=$task ;; node2) lost=$task ;; esac
  done < <(squeue -h -r -j "$job" -t R -o '%K %N')
  [ -n "$killed" ] && [ -n "$lost" ]
}
await both_run

echo "== scancel of task $killed, and node2, with task $lost, is taken down"
scancel "${job}_$killed"
scontrol update nodename=node2 state=down reason="tools/cluster/check.sh"
"${submit[@]}" --status
await is_idle
[ ! -e "$work/run/parts/$killed/done" ] || fail "task $killed is done, though it was killed"
[ ! -e "$work/run/merged/done" ] || fail "there is a merged match without task $killed"
grep -q "shards are not complete: .*submits them" "$work/run/logs/merge.log" || fail "the merge did not name what is missing"
before=$(wc -l <"$work/run/parts/$killed/match.jsonl")

echo "== node2 is back; the same command submits what is missing, and the merge"
scontrol update nodename=node2 state=resume
again=$("${submit[@]}")
echo "$again"
grep -q ", 0 running or waiting, " <<<"$again" || fail "nothing should be running any more"
grep -qE "submitted as job [0-9]+: ([0-9,-]*[,-])?$killed([,-]|$)" <<<"$again" || fail "task $killed should be submitted again"
await is_idle
[ -e "$work/run/merged/done" ] || fail "the merge was not done"
after=$(wc -l <"$work/run/parts/$killed/match.jsonl")
echo "task $killed had $before lines of 51 when it was killed, and has $after"
[ "$before" -lt 51 ] && [ "$after" = 51 ] || fail "it should have gone on from where it was"
"${submit[@]}" | grep -q "8 done, 0 running or waiting, 0 missing; merged" || fail "nothing should be left to do"

echo "== an undivided run"
"$lab" "${match[@]}" --concurrency 2 --out "$work/whole" >"$work/whole.txt"
cmp <(contents "$work/whole") <(contents "$work/run/merged") || fail "the games differ"
cmp <(cat "$work/whole.txt"; echo "400 of 400 games") "$work/run/merged/summary.txt" || fail "the results differ"
[ "$(wc -l <"$work/run/merged/match.jsonl")" = 401 ] || fail "expected 400 games"
cat "$work/run/merged/summary.txt"

echo "== a suite in 2 tasks"
"$self/submit.sh" --dir "$work/suite" --tasks 2 --lab "$lab" -- suite "$self/../../tests/suites/end-easy.txt" --hash 4
await is_idle
cat "$work/suite/merged/summary.txt"
grep -q "^end-easy.txt  *200  *0 " "$work/suite/merged/summary.txt" || fail "expected 200 positions without a mismatch"
echo "the merged match equals the undivided one"
