#!/usr/bin/env bash
# What a search by id costs the client in CPU time: siemload beside plain JDBC and pgbench, on one server.
# Usage: benchmarks/detail-cost.sh [ROUNDS [WARMUP]]
#   (3 rounds after 60 s of warm-up unless given; a round takes about three and a half minutes, or two after 15 s)
set -euo pipefail
. "$(dirname -- "$0")/setup.sh"

rounds=${1:-3}
clients=8
# Where clients and server keep all processors busy, Java's compiler waits its turn.
warmup=${2:-60}
seconds=20

need psql pgbench
build
start_server
results=$work/detail-cost.txt
: >"$results"

# siemload works on a copy of its own; plain JDBC and pgbench get one like it, with ids to ask for.
"$home/siemload" load --dataset smoke </dev/null
kept=$(sql -c "SELECT datname FROM pg_database WHERE starts_with(datname, 'siemload_data_') ORDER BY oid DESC LIMIT 1")
PGOPTIONS="-c client_min_messages=warning" sql -c "DROP DATABASE IF EXISTS detail_cost" -c "CREATE DATABASE detail_cost TEMPLATE \"$kept\" STRATEGY FILE_COPY"
sql -d detail_cost -c "CREATE TABLE benchmark_id AS SELECT row_number() OVER ()::int AS number, id FROM (SELECT id FROM events ORDER BY random() LIMIT 1000) AS chosen" \
    -c "ALTER TABLE benchmark_id ADD PRIMARY KEY (number)" -c "VACUUM ANALYZE benchmark_id"

# pgbench has no list of texts to draw from, so the server looks the id up: more work for it, not for pgbench.
cat >"$work/detail.sql" <<'SQL'
\set number random(1, 1000)
SELECT e.id, e.detect_time, j.event FROM events e JOIN events_json j ON j.id = e.id
WHERE e.id = (SELECT id FROM benchmark_id WHERE number = :number)
SQL

# What the server counted: the calls of the statement that read the event, and their rows.
counted() {
    sql -c "SELECT coalesce(sum(calls), 0), coalesce(sum(rows), 0) FROM pg_stat_statements
        WHERE query ~ 'SELECT e.id, e.detect_time, j.event' AND query !~ 'ORDER BY' AND query !~ 'EXPLAIN'" -F ' '
}

# Takes: who, microseconds a request, requests measured, seconds. The server also counts the warm-up.
note() {
    local calls rows
    read -r calls rows < <(counted)
    ((calls >= $3)) || fail "$1 says $3 requests, but the server counted $calls"
    ((rows == calls)) || fail "$1: $calls requests gave $rows rows"
    echo "$1 $2 $3 $4 $calls" >>"$results"
    printf '%-12s %7.1f microseconds a request, %6.0f requests/s, server counted %d requests\n' \
        "$1" "$2" "$(awk "BEGIN { print $3 / $4 }")" "$calls"
}

json() {
    sed -n "s/^ *\"$1\" : \([0-9.E]*\),\{0,1\}$/\1/p" "$work/results/latest/run.json" | head -n 1
}

# The CPU time of each thread of a process so far, in nanoseconds, with its number and kind.
threads() {
    local task name cpu kind
    for task in /proc/"$1"/task/*; do
        { read -r name <"$task/comm" && read -r cpu _ <"$task/schedstat"; } 2>/dev/null || continue
        case $name in
            siemload-search*) kind=workers ;;
            *Compiler*) kind=compilers ;;
            GC* | G1* | VM*) kind=collector ;;
            *) kind=rest ;;
        esac
        echo "${task##*/} $kind $cpu"
    done
}

# What threads of each kind used for a request while siemload measured, but for its last second.
# Takes the process; note_threads divides by the requests once they are known.
watch_threads() {
    until grep -qs '^measuring' "$work/siemload.log"; do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.2
    done
    threads "$1" >"$work/threads.before"
    sleep $((seconds - 1))
    threads "$1" >"$work/threads.after"
}

note_threads() {
    awk -v requests="$(json count)" -v measured="$(json measuredSeconds)" -v took=$((seconds - 1)) '
        FNR == NR { before[$1] = $3; next }
        { used[$2] += $3 - before[$1]; all += $3 - before[$1] }
        END {
            printf "  by threads:"
            for (kind in used)
                printf " %s %.1f (%.1f %%)", kind, used[kind] / 1e3 / (requests / measured * took), 100 * used[kind] / all
            print ""
        }' "$work/threads.before" "$work/threads.after"
}

siemload_detail() {
    sql -c 'SELECT pg_stat_statements_reset()' >/dev/null
    local code=0 process
    : >"$work/siemload.log"
    "$home/siemload" run --scenario "$home/benchmarks/detail.yaml" --warmup "${warmup}s" --duration "${seconds}s" \
        --results "$work/results" >"$work/siemload.log" 2>&1 </dev/null &
    process=$!
    watch_threads "$process"
    wait "$process" || code=$?
    # 1 and 4 are expected: clients without a pause saturate the server, and keep the processors so busy that response times are
    # not to be trusted; the CPU time is.
    ((code == 0 || code == 1 || code == 4)) || fail "siemload ended with $code, see $work/siemload.log"
    note siemload "$(json cpuMicrosPerSearch)" "$(json count)" "$(json measuredSeconds)"
    note_threads
}

plain_jdbc() {
    local micros requests took
    sql -c 'SELECT pg_stat_statements_reset()' >/dev/null
    read -r micros requests took < <(run_class siemload.benchmark.PlainJdbcDetail \
        "jdbc:postgresql://127.0.0.1:$PGPORT/detail_cost" $clients $warmup $seconds)
    note plain-jdbc "$micros" "$requests" "$took"
}

pgbench_detail() {
    local user system requests
    sql -c 'SELECT pg_stat_statements_reset()' >/dev/null
    TIMEFORMAT='%U %S'
    { time PGOPTIONS='-c plan_cache_mode=force_custom_plan' pgbench -n -c $clients -j 2 -M prepared -T $seconds \
        -f "$work/detail.sql" detail_cost >"$work/pgbench.log" 2>&1; } 2>"$work/pgbench.time"
    requests=$(sed -n 's/^number of transactions actually processed: \([0-9]*\).*/\1/p' "$work/pgbench.log")
    read -r user system <"$work/pgbench.time"
    note pgbench "$(awk "BEGIN { print ($user + $system) * 1e6 / $requests }")" "$requests" $seconds
}

for ((round = 1; round <= rounds; round++)); do
    echo "round $round of $rounds"
    siemload_detail
    plain_jdbc
    pgbench_detail
done

echo
echo "Client CPU for each search by id in microseconds, $rounds rounds, $clients clients"
printf '%-12s %8s %8s %8s %16s\n' '' min median max 'of plain JDBC'
read -r _ base _ < <(awk '$1 == "plain-jdbc" { print $2 }' "$results" | spread)
for who in siemload plain-jdbc pgbench; do
    read -r least median most < <(awk -v who="$who" '$1 == who { print $2 }' "$results" | spread)
    printf '%-12s %8.1f %8.1f %8.1f %15.2fx\n' "$who" "$least" "$median" "$most" "$(awk "BEGIN { print $median / $base }")"
done
