#!/usr/bin/env bash
# What it costs the coordinating process to hear 4 to 1,000 injectors, which are none but say what such would; docs/scale.md.
# Usage: benchmarks/injectors.sh [SEARCHES [BATCHES [SECONDS]]]     (two minutes; 100 searches and 20 batches a second each, for 10 s)
set -euo pipefail
. "$(dirname -- "$0")/setup.sh"

build
cd "$home"
{
    run_class siemload.load.injector.ManyInjectors
    for injectors in 4 16 64 256 1000; do
        run_class -Xmx3g siemload.load.injector.ManyInjectors "$injectors" "${1:-100}" "${2:-20}" "${3:-10}"
    done
} | tee "$work/injectors.txt" | column -t
