#!/usr/bin/env bash
# How neighbours move p95, and what the runs say of themselves: in each round the same seed alone and beside each
# neighbour, in random order, so that a run beside one and the run alone are a pair.
# Usage: benchmarks/neighbours.sh [ROUNDS [NEIGHBOUR...]]    (10 and all four unless given; about two minutes a round)
#        SIEMLOAD names another launcher, RESULTS where the runs are kept, ROUND the number of the only round to make.
# Neighbours: one (a busy loop), two (two of them), disk (two programs that write and sync files), build (javac); besides
#        nice (a busy loop of the lowest priority), light (one for a twentieth of each second), again (none).
set -euo pipefail
home=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
siemload=${SIEMLOAD:-$home/siemload}
results=${RESULTS:-$home/target/benchmarks/neighbours}
rounds=${1:-10}
shift || true
[ $# -gt 0 ] || set -- one two disk build
mkdir -p "$results"

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
        build) find "$home/src/main/java" -name '*.java' >"$results/sources"
            while :; do
                javac -proc:none -nowarn -implicit:none -d "$results/classes" @"$results/sources" >/dev/null 2>&1 || true
            done ;;
        *) echo "$0: no neighbour '$1' (one, two, disk, build, nice, light, again)" >&2; exit 2 ;;
    esac
}

# Takes: neighbour or alone, round.
run() {
    local process=
    if [ "$1" != alone ]; then
        set -m
        (neighbour "$1") &
        process=$!
        set +m
    fi
    "$siemload" run --scenario "$home/benchmarks/neighbours.yaml" --seed "$2" --checks 0 \
        --results "$results/$2-$1" >"$results/$2-$1.log" 2>&1 </dev/null || true
    if [ "$process" ]; then
        kill -- -"$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
        rm -f "$results"/neighbour.[12]
    fi
}

# Takes: neighbour or alone, round, key of run.json.
value() {
    sed -n "s/^ *\"$3\" : \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$results/$2-$1/latest/run.json" | head -n 1
}

# Takes: neighbour or alone, round.
p95() {
    sed -n '/"responseTimeMicros"/,/}/s/^ *"p95" : \([0-9]*\),\{0,1\}$/\1/p' "$results/$2-$1/latest/run.json" | head -n 1
}

echo "| round | neighbour | p95 alone, ms | beside it | moved by | alone | off by | beside it | off by |"
echo "| ---: | --- | ---: | ---: | ---: | --- | ---: | --- | ---: |"
for ((round = ${ROUND:-1}; round <= ${ROUND:-rounds}; round++)); do
    for one in $(shuf -e alone "$@"); do
        run "$one" "$round"
    done
    for one in "$@"; do
        echo "$round $one $(p95 alone "$round") $(p95 "$one" "$round")" \
            "$(value alone "$round" verdict) $(value alone "$round" percentilesOffPercent)" \
            "$(value "$one" "$round" verdict) $(value "$one" "$round" percentilesOffPercent)"
    done | awk '{ printf "| %d | %s | %.1f | %.1f | %+.0f %% | %s | %.0f %% | %s | %.0f %% |\n",
        $1, $2, $3 / 1e3, $4 / 1e3, 100 * ($4 / $3 - 1), $5, $6, $7, $8 }'
done
