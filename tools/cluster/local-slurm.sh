#!/usr/bin/env bash
# A Slurm cluster of its own on this machine: one controller and two nodes, which are processes with a port each.
#
#   local-slurm.sh start DIR     installs what is missing (Debian: slurm-wlm, munge), starts all daemons, and waits for them
#   local-slurm.sh stop DIR      ends exactly the daemons that were started with DIR
#
# Everything is in DIR: configuration, key, sockets, state, logs. After `start`, the commands of Slurm find the cluster by
# `export SLURM_CONF=DIR/slurm.conf`. It must run as root, as daemons that start other users' jobs do; nothing is changed
# in /etc, no service is enabled, and a Slurm that the machine has is not touched.
set -euo pipefail

usage() { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -eq 2 ] || usage
verb=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)

# The id of a daemon is in its file, and the process must still be that daemon: ids are used again.
running() {
  local id
  id=$(cat "$dir/$1.pid" 2>/dev/null) && [ -n "$id" ] && grep -qa "^$2" "/proc/$id/comm" 2>/dev/null && echo "$id"
}

end() {
  local id
  id=$(running "$1" "$2") || return 0
  kill "$id" 2>/dev/null || return 0
  for _ in $(seq 100); do
    kill -0 "$id" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -9 "$id" 2>/dev/null || true
}

stop() {
  end slurmctld slurmctld
  end node1 slurmd
  end node2 slurmd
  # What a node was running when it ended: a step is a child of no node, but its environment names this configuration.
  for step in /proc/[0-9]*; do
    if grep -qa '^slurmstepd' "$step/comm" 2>/dev/null &&
      tr '\0' '\n' <"$step/environ" 2>/dev/null | grep -qx "SLURM_CONF=$dir/slurm.conf"; then
      kill "${step#/proc/}" 2>/dev/null || true
    fi
  done
  end munged munged
}

# A port that nobody listens on, from the number on.
free_port() {
  local port=$1
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
  echo "$port"
}

start() {
  [ "$(id -u)" = 0 ] || { echo "local-slurm.sh: it needs root, as the daemons of Slurm do" >&2; exit 1; }
  export PATH="$PATH:/usr/sbin:/sbin"
  if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || ! command -v munged >/dev/null; then
    # The packages would start services that have no configuration here.
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends slurm-wlm munge
  fi
  # The socket of munged must be in directories that others cannot write to.
  chmod 755 "$dir"
  mkdir -p "$dir/state" "$dir/spool" "$dir/munge"
  chmod 755 "$dir/munge"
  dd if=/dev/urandom of="$dir/munge/key" bs=1024 count=1 status=none
  chmod 600 "$dir/munge/key"
  munged --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munged.pid" \
    --log-file="$dir/munge/log" --seed-file="$dir/munge/seed"

  local control node1 node2
  control=$(free_port $((20000 + RANDOM % 10000)))
  node1=$(free_port $((control + 1)))
  node2=$(free_port $((node1 + 1)))
  # A job may have any memory; a node has one processor of the machine; what happens, happens at once.
  cat >"$dir/slurm.conf" <<CONF
ClusterName=local
SlurmctldHost=localhost
SlurmctldPort=$control
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket,cred_expire=20
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=2
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/%n.log
ReturnToService=1
KillWait=5
SlurmdTimeout=60
MinJobAge=3600
NodeName=node1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$node1 CPUs=1 State=UNKNOWN
NodeName=node2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$node2 CPUs=1 State=UNKNOWN
PartitionName=all Nodes=node1,node2 Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF="$dir/slurm.conf"
  slurmctld -f "$dir/slurm.conf" -c
  for node in node1 node2; do slurmd -f "$dir/slurm.conf" -N "$node"; done
  for _ in $(seq 300); do
    if [ "$(sinfo -h -N -t idle -o %N 2>/dev/null | wc -l)" = 2 ]; then
      echo "export SLURM_CONF=$dir/slurm.conf"
      return
    fi
    sleep 0.2
  done
  echo "local-slurm.sh: the nodes did not come up:" >&2
  tail -n 5 "$dir"/*.log >&2
  stop
  exit 1
}

case $verb in
  start) start ;;
  stop) stop ;;
  *) usage ;;
esac
