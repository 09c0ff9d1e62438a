#!/usr/bin/env bash
# Runs a command of plumb-lab as a Slurm job array, one shard a task, and merges the shards in a job that depends on it.
#
#   submit.sh --dir DIR --tasks N [--lab PROGRAM] [--merge=OPTION] [OPTION...] -- COMMAND ARGUMENT...
#   submit.sh --dir DIR [--resume]    submits what is missing of the run in DIR, and the merge
#   submit.sh --dir DIR --status      says how far the run in DIR is
#
# COMMAND is match, tune-hash, suite, label, book build or, with --lab plumb-studies, table, with its arguments, but without those that
# say where results go, and without --shard. Any other OPTION, such as --partition=short, --mem=2G or --time=4:00:00, is
# one of sbatch for the tasks; --merge=--mem=64G is one for the merge alone. See README.md beside this file.
set -euo pipefail

fail() { echo "submit.sh: $*" >&2; exit 2; }
# Runs the first task of the run $1 for three seconds, here and in a directory that goes: a command that cannot begin is not
# submitted.
try() {
  local trial code=0 sentence
  trial=$(mktemp -d)
  printf '%s\n' "$1" >"$trial/run"
  SLURM_ARRAY_TASK_ID=1 timeout -s INT 3 "$self/task.sh" "$trial" >"$trial/log" 2>&1 || code=$?
  sentence=$(sed -n 's/^plumb-[a-z]*: //p' "$trial/log" | tail -n 1)
  rm -rf "$trial"
  [ "$code" != 2 ] || fail "the command does not begin: $sentence"
}
usage() { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }

self=$(cd "$(dirname "$0")" && pwd)
dir='' tasks='' lab='' verb=submit
options=() merge_options=()
while [ $# -gt 0 ]; do
  case $1 in
    --dir | --tasks | --lab) [ $# -gt 1 ] || fail "$1: expected a value after it" ;;&
    --dir) dir=$2; shift ;;
    --tasks) tasks=$2; shift ;;
    --lab) lab=$2; shift ;;
    --dir=*) dir=${1#*=} ;;
    --tasks=*) tasks=${1#*=} ;;
    --lab=*) lab=${1#*=} ;;
    --merge=*) merge_options+=("${1#*=}") ;;
    --resume) verb=resume ;;
    --status) verb=status ;;
    --help | -h) usage ;;
    --) shift; break ;;
    --array=* | --output=* | --signal=*) fail "\`${1%%=*}\` is for this script to give" ;;
    --*=* | --requeue | --no-requeue | --exclusive | --hold) options+=("$1") ;;
    *) fail "\`$1\`: expected an option as --NAME=VALUE, or -- and a command of plumb-lab" ;;
  esac
  shift
done
[ -n "$dir" ] || usage
command -v sbatch >/dev/null || fail "there is no sbatch: this is for machines of a Slurm cluster"

# What the run is, is written once, as a file that bash reads; another command for the same directory is refused.
if [ $# -gt 0 ]; then
  [ "$verb" = submit ] || fail "--$verb takes the command of the run in \`$dir\`: expected none"
  [[ $tasks =~ ^[1-9][0-9]*$ ]] || fail "--tasks: expected the number of tasks, found \`$tasks\`"
  most=$(scontrol show config | sed -n 's/^MaxArraySize *= *//p')
  [ "$tasks" -lt "${most:-1001}" ] || fail "--tasks: this cluster has at most $((most - 1)) tasks in an array, found $tasks"
  case "$1 ${2-}" in
    match\ merge | match\ report | match\ openings | *\ merge) fail "\`$1 $2\` is not a run: expected one that has shards" ;;
    match\ * | tune-hash\ * | table\ * | suite\ * | label\ * | book\ build) ;;
    *) fail "\`$*\`: expected match, tune-hash, table, suite, label or book build" ;;
  esac
  for word in "$@"; do
    case $word in
      --shard | --shard=* | --out | --out=* | --resume) fail "\`$word\` is for this script to give" ;;
      --csv | --csv=*) fail "\`$word\` is for this script to give" ;;
      --json | --json=* | --log | --log=* | --serve | --serve=*) fail "\`$word\`: all tasks would write to the same place" ;;
    esac
  done
  if [ -z "$lab" ]; then
    lab=$self/../../target/release/plumb-lab
    [ -x "$lab" ] || lab=$(command -v plumb-lab) || fail "there is no plumb-lab: give --lab PROGRAM"
  fi
  lab=$(command -v "$lab") || fail "--lab: there is no program \`$lab\`"
  lab=$(cd "$(dirname "$lab")" && pwd)/$(basename "$lab")
  run=$(printf 'tasks=%q lab=%q directory=%q\nwords=(' "$tasks" "$lab" "$PWD" && printf '%q ' "$@" && printf ')\n')
  mkdir -p "$dir/parts" "$dir/logs"
  if [ -e "$dir/run" ]; then
    [ "$run" = "$(cat "$dir/run")" ] || fail "\`$dir\` is another run, see \`$dir/run\`: give another --dir"
  else
    try "$run"
    printf '%s\n' "$run" >"$dir/run.new" && mv "$dir/run.new" "$dir/run"
  fi
  # The tasks run the scripts as they were when the run began, and need nothing else of this directory.
  cp "$self/task.sh" "$self/merge.sh" "$dir/"
elif [ -n "$tasks$lab" ]; then
  fail "--tasks and --lab are of a new run: expected -- and a command of plumb-lab after them"
elif [ ! -e "$dir/run" ]; then
  fail "\`$dir\`: there is no run to resume; expected -- and a command of plumb-lab"
fi
dir=$(cd "$dir" && pwd)
# shellcheck disable=SC1091
. "$dir/run"

# What is done, and what is in the queue or running.
declare -A active=()
living=''
for job in $(cat "$dir/jobs" 2>/dev/null); do
  # The cluster forgets jobs that have ended.
  indices=$(squeue -h -r -j "$job" -o %K 2>&1) || case $indices in
    *"Invalid job id"*) indices='' ;;
    *) fail "the queue cannot be read, so nothing is submitted: $indices" ;;
  esac
  for index in $indices; do active[$index]=1; done
  [ -z "$indices" ] || living+=${living:+:}$job
done
missing=() done=0 waiting=0
for ((index = 1; index <= tasks; index++)); do
  if [ -e "$dir/parts/$index/done" ]; then
    done=$((done + 1))
  elif [ -n "${active[$index]-}" ]; then
    waiting=$((waiting + 1))
  else
    missing+=("$index")
  fi
done
state="$tasks tasks: $done done, $waiting running or waiting, ${#missing[@]} missing"
if [ -e "$dir/merged/done" ]; then
  code=$(cat "$dir/merged/done")
  [ "$code" = 0 ] && finding='' || finding=", exit code $code, see \`$dir/merged/summary.txt\` and \`$dir/logs/merge.log\`"
  echo "$state; merged: \`$dir/merged\`$finding"
  exit 0
fi
if [ "$verb" = status ]; then
  echo "$state"
  exit 0
fi

# The numbers as a list of ranges, which sbatch takes however many they are.
ranges() {
  local start='' last='' list=''
  for index in "$@" end; do
    if [ -n "$start" ] && [ "$index" != "$((last + 1))" ]; then
      list+=${list:+,}$start$([ "$start" = "$last" ] || echo "-$last")
      start=''
    fi
    start=${start:-$index} last=$index
  done
  echo "$list"
}

if [ ${#missing[@]} -gt 0 ]; then
  list=$(ranges "${missing[@]}")
  # The tasks get SIGINT, at which they save what they have, a minute before their time is over.
  job=$(sbatch --parsable --job-name="plumb-${words[0]}" --array="$list" --requeue --open-mode=append \
    --output="$dir/logs/%a.log" --signal=B:INT@60 "${options[@]}" "$dir/task.sh" "$dir")
  job=${job%%;*}
  echo "$job" >>"$dir/jobs"
  living+=${living:+:}$job
  echo "$state; submitted as job $job: $list"
else
  echo "$state"
fi
# The merge waits for the tasks, whatever these wait for.
merge=$(sbatch --parsable --job-name="plumb-merge" --open-mode=append --output="$dir/logs/merge.log" \
  "${options[@]}" "${merge_options[@]}" ${living:+--dependency="afterany:$living"} "$dir/merge.sh" "$dir")
echo "merge: job ${merge%%;*}, into \`$dir/merged\`"
