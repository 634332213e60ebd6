#!/usr/bin/env bash
# How many events one processor makes in a second, as Java objects and as IDEA JSON, by JMH.
# Usage: benchmarks/generator.sh [JMH OPTIONS]      (about a minute; for instance -f 3 for three processes)
set -euo pipefail
. "$(dirname -- "$0")/setup.sh"

build
cd "$home"
run_class org.openjdk.jmh.Main siemload.benchmark.EventBenchmark.Made "$@" | tee "$work/generator.txt"

echo
awk '$1 ~ /[.](objects|ideaJson)$/ {
    name = $1; sub(/.*\./, "", name)
    if (name == "objects") goal = 400000; else if (name == "ideaJson") goal = 200000; else next
    printf "%-10s %8.0f events/s on one processor, %3.0f %% of the goal of %d\n", name, $4, 100 * $4 / goal, goal
}' "$work/generator.txt"
