#!/usr/bin/env bash
# Whether siemload's times are right: the mean time of one long search by siemload and by pgbench, each beside what the server counted for
# the same statements, in turns on one server.
# Usage: benchmarks/stopwatch.sh [ROUNDS]      (4 unless given; each takes about half a minute)
set -euo pipefail
. "$(dirname -- "$0")/setup.sh"

rounds=${1:-4}
seconds=5

need psql pgbench
build
start_server
results=$work/stopwatch.txt
: >"$results"

"$home/siemload" load --dataset smoke </dev/null
kept=$(sql -c "SELECT datname FROM pg_database WHERE starts_with(datname, 'siemload_data_') ORDER BY oid DESC LIMIT 1")
PGOPTIONS="-c client_min_messages=warning" sql -c "DROP DATABASE IF EXISTS stopwatch" -c "CREATE DATABASE stopwatch TEMPLATE \"$kept\" STRATEGY FILE_COPY"

# TOPPORTS over all events: it takes the server long and returns a few lines, so that network and driver hardly count.
cat >"$work/stopwatch.sql" <<'SQL'
SELECT value.value, count(*)
FROM events e
CROSS JOIN LATERAL (SELECT DISTINCT unnest((e.source_port || e.target_port)::text[]) COLLATE "C" AS value) value
WHERE e.detect_time >= '-infinity' AND e.detect_time < 'infinity'
GROUP BY value.value ORDER BY count(*) DESC, value.value LIMIT 10
SQL

# Takes: who, milliseconds of the client.
note() {
    local server
    server=$(sql -c "SELECT coalesce(sum(total_plan_time + total_exec_time) / sum(calls), 0) FROM pg_stat_statements
        WHERE query ~ 'unnest' AND query !~ 'EXPLAIN|pg_stat_statements'")
    awk -v who="$1" -v client="$2" -v server="$server" 'BEGIN {
        if (server == 0) { print "the server counted nothing" > "/dev/stderr"; exit 1 }
        printf "%-10s %8.2f ms, server %8.2f ms: %+.1f %%\n", who, client, server, (client / server - 1) * 100 }'
    echo "$1 $(awk "BEGIN { print $2 / $server * 100 - 100 }")" >>"$results"
}

siemload_times() {
    sql -c 'SELECT pg_stat_statements_reset()' >/dev/null
    "$home/siemload" run --scenario "$home/src/main/resources/siemload/run/selftest/stopwatch.yaml" --dataset smoke --probes false \
        --checks 0 --failOn breakdown --duration "${seconds}s" --results "$work/results" >"$work/siemload.log" 2>&1 </dev/null ||
        fail "siemload failed, see $work/siemload.log"
    note siemload "$(sed -n '/"serviceTimeMicros"/,/}/s/^ *"mean" : \([0-9.E]*\),*$/\1/p' "$work/results/latest/run.json" |
        head -n 1 | awk '{ print $1 / 1000 }')"
}

pgbench_times() {
    sql -c 'SELECT pg_stat_statements_reset()' >/dev/null
    PGOPTIONS='-c plan_cache_mode=force_custom_plan' pgbench -n -r -c 1 -j 1 -M prepared -T $seconds -f "$work/stopwatch.sql" stopwatch \
        >"$work/pgbench.log" 2>&1 || fail "pgbench failed, see $work/pgbench.log"
    note pgbench "$(sed -n '/statement latencies/,$s/^ *\([0-9][0-9.]*\) .*/\1/p' "$work/pgbench.log" | head -n 1)"
}

for ((round = 1; round <= rounds; round++)); do
    echo "round $round of $rounds"
    siemload_times
    pgbench_times
done

echo
echo "Client time of a search above the server's own, percent, $rounds rounds"
printf '%-10s %8s %8s %8s\n' '' min median max
for who in siemload pgbench; do
    read -r least median most < <(awk -v who="$who" '$1 == who { print $2 }' "$results" | spread)
    printf '%-10s %8.1f %8.1f %8.1f\n' "$who" "$least" "$median" "$most"
done
