#!/usr/bin/env bash
# How neighbours move p95, and what the runs say of themselves: pairs of runs of the same seed, alone and beside a neighbour,
# in random order.
# Usage: benchmarks/neighbours.sh [ROUNDS [NEIGHBOUR...]]    (6 and all seven unless given; about five minutes a round)
#        SIEMLOAD names another launcher, RESULTS where the runs are kept, ROUND the number of the only round to make.
# Neighbours: one (a busy loop), two (two of them), disk (two programs that write and sync files), build (javac),
#        nice (a busy loop of the lowest priority), light (one for a twentieth of each second), again (none).
set -euo pipefail
home=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
siemload=${SIEMLOAD:-$home/siemload}
results=${RESULTS:-$home/target/benchmarks/neighbours}
rounds=${1:-6}
shift || true
[ $# -gt 0 ] || set -- one two disk build nice light again
mkdir -p "$results"
results=$(CDPATH='' cd -- "$results" && pwd -P)

neighbour() {
    case $1 in
        one) exec sh -c 'while :; do :; done' ;;
        light) while :; do timeout 0.05 sh -c 'while :; do :; done' || true; sleep 0.95; done ;;
        again) sleep 3600 ;;
        nice) exec nice -n 19 sh -c 'while :; do :; done' ;;
        two) for _ in 1 2; do sh -c 'while :; do :; done' & done; wait ;;
        disk) for i in 1 2; do
            while :; do dd if=/dev/zero of="$results/neighbour.$i" bs=1M count=200 conv=fsync status=none; done &
        done; wait ;;
        build) cd "$results"  # where javac writes down what it was told when it is ended
            find "$home/src/main/java" -name '*.java' >"$results/sources"
            while :; do
                javac -proc:none -nowarn -implicit:none -d "$results/classes" @"$results/sources" >/dev/null 2>&1 || true
            done ;;
        *) echo "$0: no neighbour '$1' (one, two, disk, build, nice, light, again)" >&2; exit 2 ;;
    esac
}

# Takes: neighbour or alone, seed, directory.
run() {
    local process=
    if [ "$1" != alone ]; then
        set -m
        (neighbour "$1") &
        process=$!
        set +m
    fi
    "$siemload" run --scenario "$home/benchmarks/neighbours.yaml" --seed "$2" --checks 0 \
        --results "$3" >"$3.log" 2>&1 </dev/null || true
    if [ "$process" ]; then
        kill -- -"$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
        rm -f "$results"/neighbour.[12]
    fi
}

# Takes: directory. Prints p95 in microseconds, the verdict, how far percentiles may be off, what others took.
said() {
    local json=$1/latest/run.json
    sed -n '/"responseTimeMicros"/,/}/s/^ *"p95" : \([0-9]*\),\{0,1\}$/\1/p' "$json" | head -n 1
    for key in verdict percentilesOffPercent otherCpuRatio; do
        sed -n "s/^ *\"$key\" : \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$json" | head -n 1
    done
}

echo "| round | beside | it took | p95 alone, ms | beside it | moved by | alone: off by | beside it: off by |"
echo "| ---: | --- | ---: | ---: | ---: | ---: | --- | --- |"
for ((round = ${ROUND:-1}; round <= ${ROUND:-rounds}; round++)); do
    pair=0
    for one in $(shuf -e "$@"); do
        seed=$((100 * round + ++pair))
        for who in $(shuf -e alone "$one"); do
            run "$who" "$seed" "$results/$round-$one-$who"
        done
        echo "$round $one" $(said "$results/$round-$one-alone") $(said "$results/$round-$one-$one") |
            awk '{ printf "| %d | %s | %.0f %% | %.1f | %.1f | %+.0f %% | %s, %.0f %% | %s, %.0f %% |\n",
                $1, $2, 100 * $10, $3 / 1e3, $7 / 1e3, 100 * ($7 / $3 - 1), $4, $5, $8, $9 }'
    done
done
