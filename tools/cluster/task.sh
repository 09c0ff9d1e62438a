#!/usr/bin/env bash
# A task of a run that submit.sh submitted: one shard, in a directory of its own, which it resumes.
set -uo pipefail
dir=$1 index=$SLURM_ARRAY_TASK_ID
# shellcheck disable=SC1091
. "$dir/run"
part=$dir/parts/$index
mkdir -p "$part"
cd "$directory" || exit 2

# A node that was given up may still run the task: no two may write here.
exec 9>"$part/lock"
flock -w 600 9 || { echo "task $index: another process holds \`$part/lock\`" >&2; exit 75; }
[ ! -e "$part/done" ] || exit 0

case ${words[0]} in
  match) words+=(--out "$part" --resume) ;;
  tune-hash | table) words+=(--out "$part") ;;
  suite) words+=(--csv "$part/results.csv") ;;
  book) words+=(--out "$part/book.part") ;;
  label)
    # Whoever labels JSON Lines wants JSON Lines.
    [[ " ${words[*]} " == *jsonl\ * || " ${words[*]} " == *.ndjson\ * ]] && end=jsonl || end=csv
    words+=(--out "$part/labelled.$end")
    # It has its name only when it is complete.
    if [ -e "$part/labelled.$end" ]; then
      echo 0 >"$part/done"
      exit 0
    fi
    ;;
esac

echo "$(date -u +%FT%TZ) task $index of $tasks on $(hostname), job ${SLURM_JOB_ID-}" >&2
# Under job control, as bash otherwise starts a background command with SIGINT ignored.
set -m
"$lab" "${words[@]}" --shard "$index/$tasks" 9>&- &
child=$!
set +m
# The first signal asks for an orderly end.
trap 'kill -INT $child 2>/dev/null; (sleep 20; kill -TERM $child 2>/dev/null) 9>&- &' INT TERM
code=0
wait "$child" || code=$?
while kill -0 "$child" 2>/dev/null; do
  code=0
  wait "$child" || code=$?
done
# Exit code 1 with all results is a finding, a wrong score or a game lost by a fault: the shard is complete, and the merge
# reports the finding.
has_all_results() {
  case ${words[0]} in
    match) grep -qs '"state":"finished"' "$part/summary.json" ;;
    suite | boards)
      # A row for each result, below a heading.
      grep -qs "\"results\":$(($(wc -l <"$part/results.csv") - 1))," "$part/results.csv.header"
      ;;
    *) false ;;
  esac
}
if [ "$code" = 0 ] || { [ "$code" = 1 ] && has_all_results; }; then
  echo "$code" >"$part/done.new" && mv "$part/done.new" "$part/done"
  exit 0
fi
exit "$code"
