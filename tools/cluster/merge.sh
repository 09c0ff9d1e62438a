#!/usr/bin/env bash
# Merges the shards of a run that submit.sh submitted, when all of them are done.
set -euo pipefail
dir=$1
# shellcheck disable=SC1091
. "$dir/run"
cd "$directory"
mkdir -p "$dir/merged"
exec 9>"$dir/merged/lock"
flock 9

missing=() parts=()
for ((index = 1; index <= tasks; index++)); do
  if [ -e "$dir/parts/$index/done" ]; then parts+=("$dir/parts/$index"); else missing+=("$index"); fi
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "merge: ${#missing[@]} of $tasks shards are not complete: ${missing[*]}; submit.sh --dir $dir submits them" >&2
  exit 1
fi

merged=$dir/merged code=0
if [[ " ${words[*]} " == *\ --moves\ * || " ${words[*]} " == *\ --lines* ]] && [ "${words[0]}" = book ]; then
  echo "these parts make a book only with those of the scores: plumb-lab book merge SCORES… $dir/parts/*/book.part" |
    tee "$merged/summary.txt"
  echo 0 >"$merged/done"
  exit 0
fi
case ${words[0]} in
  match) merge=(match merge "${parts[@]}" --out "$merged") ;;
  tune-hash | table) merge=("${words[0]}" merge "${parts[@]}" --out "$merged") ;;
  suite) merge=("${words[0]}" merge "${parts[@]/%//results.csv}" --csv "$merged/results.csv") ;;
  book) merge=(book merge "${parts[@]/%//book.part}" --out "$merged/plumb.book") ;;
  label)
    [ -e "${parts[0]}/labelled.jsonl" ] && end=jsonl || end=csv
    merge=(label merge "${parts[@]/%//labelled.$end}" --out "$merged/labelled.$end" --force)
    ;;
esac
"$lab" "${merge[@]}" 9>&- | tee "$merged/summary.txt" || code=${PIPESTATUS[0]}
[ "$code" -le 1 ] || exit "$code"
echo "$code" >"$merged/done"
exit "$code"
