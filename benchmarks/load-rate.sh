#!/usr/bin/env bash
# How fast a day of events is stored without indexes: siemload, which makes the events on the way, beside psql's \copy of
# the same rows from files made before, on one server.
# Usage: benchmarks/load-rate.sh [ROUNDS [DATASET]]     (3 and cesnet-day unless given; each takes about three minutes)
set -euo pipefail
. "$(dirname -- "$0")/setup.sh"

rounds=${1:-3}
dataset=${2:-cesnet-day}

need psql
build
start_server
results=$work/load-rate.txt
: >"$results"

siemload_load() {
    "$home/siemload" load --dataset "$dataset" --indexes none >"$work/load.log" 2>&1 </dev/null ||
        fail "siemload failed, see $work/load.log"
    sed -n 's/.* events stored in \([0-9.]*\) s .*/\1/p' "$work/load.log"
}

# Writes the rows of a table into a file for psql, and the statements that make the table and fill it in one transaction, as a load does,
# since only then COPY can write frozen rows. Takes the table, its block in the layout, its columns, and options of COPY.
files() {
    local table
    table=$(sed -n "/^-- name: $2\$/,/^-- name: /{/^-- name: /d;s/:partitioning/;/;p}" \
        "$home/src/main/resources/siemload/database/postgresql/mentat/statements.sql")
    sql -d "$kept" -c "\\copy $1 ($3) TO '$files/$1.copy' ($4)"
    printf 'BEGIN;\n%s\n\\copy %s (%s) FROM %s (%s, FREEZE)\nCOMMIT;\n' \
        "$table" "$1" "$3" "'$files/$1.copy'" "$4" >"$files/$1.sql"
}

files=$work/$dataset
mkdir -p "$files"
echo "writing the files for psql..."
siemload_load >/dev/null
kept=$(sql -c "SELECT datname FROM pg_database WHERE starts_with(datname, 'siemload_data_') ORDER BY oid DESC LIMIT 1")
events=$(sql -d "$kept" -c 'SELECT count(*) FROM events')
files events table-events "$(sql -d "$kept" -c "SELECT string_agg(attname, ', ' ORDER BY attnum) FROM pg_attribute
    WHERE attrelid = 'events'::regclass AND attnum > 0 AND attname <> 'storage_time'")" 'FORMAT text'
files events_json table-events-json 'id, event' 'FORMAT binary'
du -h "$files"/*.copy

note() {
    echo "$1 $2" >>"$results"
    printf '%-16s %6.1f s, %8.0f events/s\n' "$1" "$2" "$(awk "BEGIN { print $events / $2 }")"
}

# Every load finds an empty database, the dirty pages of the one before written, and values that are not known yet.
fresh() {
    local database registry
    registry=$(sql -c "SELECT datname FROM pg_database WHERE starts_with(datname, 'siemload_registry_')")
    for database in load_rate $([ -z "$registry" ] || sql -d "$registry" -c "SELECT name FROM siemload_objects
            WHERE purpose = 'DATA_SET' AND label LIKE '$dataset,%none%'"); do
        PGOPTIONS='-c client_min_messages=warning' sql -c "DROP DATABASE IF EXISTS \"$database\""
    done
    rm -rf "$work/server/values"
    sql -c "CREATE DATABASE load_rate TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'" -c CHECKPOINT
}

# Runs a command and prints its seconds.
seconds() {
    TIMEFORMAT=%R
    { time "$@" >&3 2>&4; } 3>&1 4>&2 2>"$work/seconds"
    cat "$work/seconds"
}

one_after_the_other() {
    sql -d load_rate -f "$files/events.sql" -f "$files/events_json.sql"
}

both_at_once() {
    sql -d load_rate -f "$files/events.sql" &
    sql -d load_rate -f "$files/events_json.sql"
    wait $!
}

stored() {
    local rows
    rows=$(sql -d load_rate -c 'SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM events_json)')
    ((rows == 2 * events)) || fail "psql stored $rows rows, not twice $events"
}

for ((round = 1; round <= rounds; round++)); do
    echo "round $round of $rounds"
    fresh
    note psql-in-turn "$(seconds one_after_the_other)"
    stored
    fresh
    note psql-at-once "$(seconds both_at_once)"
    stored
    fresh
    note siemload "$(siemload_load)"
done
fresh

echo
echo "$dataset, $events events into both tables without indexes, events/s, $rounds rounds"
printf '%-16s %9s %9s %9s %20s %20s\n' '' min median max 'of psql in turn' 'of psql at once'
rates() {
    awk -v who="$1" -v events="$events" '$1 == who { print events / $2 }' "$results" | spread
}
read -r _ in_turn _ < <(rates psql-in-turn)
read -r _ at_once _ < <(rates psql-at-once)
for who in siemload psql-in-turn psql-at-once; do
    read -r least median most < <(rates "$who")
    printf '%-16s %9.0f %9.0f %9.0f %19.0f%% %19.0f%%\n' "$who" "$least" "$median" "$most" \
        "$(awk "BEGIN { print 100 * $median / $in_turn }")" "$(awk "BEGIN { print 100 * $median / $at_once }")"
done
