#!/usr/bin/env bash
# How many lines of recordings one processor reads in a second, of IDEA, CEF, ECS and OCSF, by JMH.
# Usage: benchmarks/readers.sh [JMH OPTIONS]      (about three minutes; for instance -p format=cef for one format)
set -euo pipefail
. "$(dirname -- "$0")/setup.sh"

build
cd "$home"
run_class org.openjdk.jmh.Main siemload.benchmark.EventBenchmark.Read "$@" | tee "$work/readers.txt"
