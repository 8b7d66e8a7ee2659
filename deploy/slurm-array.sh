#!/usr/bin/env bash
# A run as a Slurm array: each task acts out its share of the episodes. Submit it with
#   sbatch --array=1-16 deploy/slurm-array.sh
# and join the shares when all tasks have ended:
#   discreet merge runs/study/shard-* --out runs/study/whole
# The share comes from SLURM_ARRAY_TASK_ID, _COUNT, _MIN and _STEP by itself. A task that was
# preempted or ran out of time goes on where it was when it is submitted again.
#SBATCH --job-name=discreet
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=04:00:00
#SBATCH --output=discreet-%A-%a.log
#SBATCH --requeue
# Time to close the episodes under way: the run ends cleanly on SIGTERM.
#SBATCH --signal=B:TERM@60
set -euo pipefail

scenarios=${SCENARIOS:-scenarios}
agents=${AGENTS:-oracle,careless}
out=${OUT:-runs/study}

mkdir -p "$out"
discreet run "$scenarios" --agent "$agents" \
  --jobs "${SLURM_CPUS_PER_TASK:-2}" --retries 1 \
  --out "$out/shard-${SLURM_ARRAY_TASK_ID:?submit this script as an array}" --resume &
run=$!
# The batch shell gets the signal, not the program.
trap 'kill -TERM "$run"' TERM
status=0
wait "$run" || status=$?
# A trap interrupts the first wait.
[ "$status" -le 128 ] || { status=0; wait "$run" || status=$?; }
exit "$status"
