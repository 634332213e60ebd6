#!/usr/bin/env bash
# Transactions a second on accounts: siemload beside pgbench, with as many rows, clients and the same server, in turns.
# Usage: benchmarks/transactions.sh [ROUNDS [CLIENTS [ACCOUNTS]]]   (3, 150 and 800000 unless given; a round takes three and a half minutes)
set -euo pipefail
. "$(dirname -- "$0")/setup.sh"

rounds=${1:-3}
clients=${2:-150}
accounts=${3:-800000}
branches=$((accounts / 10000))
tellers=$((branches * 10))
# Where clients and server keep all processors busy, Java's compiler waits its turn; pgbench warms up as long, for the caches.
warmup=40
seconds=20

need psql pgbench
build
start_server
results=$work/transactions.txt
: >"$results"

# pgbench's own tables and keys, with as many rows as siemload's: its scale has 100,000 accounts a branch, and siemload 10,000.
PGOPTIONS="-c client_min_messages=warning" sql -c "DROP DATABASE IF EXISTS transactions" -c "CREATE DATABASE transactions"
pgbench -i -I t -q transactions 2>/dev/null
sql -d transactions -c "INSERT INTO pgbench_accounts SELECT n, (n - 1) / 10000 + 1, 0, '' FROM generate_series(1, $accounts) n" \
    -c "INSERT INTO pgbench_tellers SELECT n, (n - 1) / 10 + 1, 0, '' FROM generate_series(1, $tellers) n" \
    -c "INSERT INTO pgbench_branches SELECT n, 0, '' FROM generate_series(1, $branches) n"
pgbench -i -I vp -q transactions 2>/dev/null

draws="\\set aid random(1, $accounts)
\\set bid random(1, $branches)
\\set tid random(1, $tellers)
\\set delta random(1, 50000)"

# The script of pgbench's own that is called tpcb-like, but for the number of rows: seven round trips.
cat >"$work/tpcb-like.sql" <<SQL
$draws
BEGIN;
UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;
SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
UPDATE pgbench_tellers SET tbalance = tbalance + :delta WHERE tid = :tid;
UPDATE pgbench_branches SET bbalance = bbalance + :delta WHERE bid = :bid;
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP);
END;
SQL

# The statements of siemload, which reads and changes at once and has an index on the history; pgbench sends BEGIN by itself.
sql -d transactions -c "CREATE SEQUENCE id CACHE 1000" -c "CREATE TABLE history (id bigint PRIMARY KEY, LIKE pgbench_history)"
cat >"$work/returning.sql" <<SQL
$draws
BEGIN;
UPDATE pgbench_accounts SET abalance = abalance - :delta WHERE aid = :aid RETURNING abalance;
UPDATE pgbench_tellers SET tbalance = tbalance - :delta WHERE tid = :tid RETURNING tbalance;
UPDATE pgbench_branches SET bbalance = bbalance - :delta WHERE bid = :bid RETURNING bbalance;
INSERT INTO history (id, tid, bid, aid, delta, mtime, filler) VALUES (nextval('id'), :tid, :bid, :aid, :delta, CURRENT_TIMESTAMP, '');
END;
SQL

note() {
    echo "$1 $2" >>"$results"
    printf '%-24s %8.0f transactions/s\n' "$1" "$2"
}

siemload_transactions() {
    local code=0
    "$home/siemload" run atm --set "procedure.scale=$((accounts / 10000))" --users "$clients" --warmup "${warmup}s" --duration "${seconds}s" \
        --allowBusyServer --results "$work/results" >"$work/siemload.log" 2>&1 </dev/null || code=$?
    # 4 is expected beside other programs; what counts is the ratio of rounds side by side.
    ((code == 0 || code == 4)) || fail "siemload ended with $code, see $work/siemload.log"
    grep -q 'the invariants hold' "$work/siemload.log" || fail "the invariants do not hold, see $work/siemload.log"
    note siemload "$(sed -n 's/^ *"transactionsPerSecond" : \([0-9.E]*\),\{0,1\}$/\1/p' "$work/results/latest/run.json" | head -n 1)"
}

pgbench_transactions() {
    sql -d transactions -c 'VACUUM (ANALYZE)' -c 'CHECKPOINT'
    pgbench -n -c "$clients" -j 2 -M prepared -T $warmup -f "$work/$1.sql" transactions >/dev/null 2>&1
    pgbench -n -c "$clients" -j 2 -M prepared -T $seconds -f "$work/$1.sql" transactions >"$work/pgbench.log" 2>&1
    note "pgbench-$1" "$(sed -n 's/^tps = \([0-9.]*\).*/\1/p' "$work/pgbench.log")"
}

for ((round = 1; round <= rounds; round++)); do
    echo "round $round of $rounds"
    siemload_transactions
    pgbench_transactions tpcb-like
    pgbench_transactions returning
done

echo
echo "Transactions a second, $rounds rounds, $clients clients, $accounts accounts"
printf '%-24s %8s %8s %8s %22s\n' '' min median max 'siemload to it, median'
for who in siemload pgbench-tpcb-like pgbench-returning; do
    read -r least median most < <(awk -v who="$who" '$1 == who { print $2 }' "$results" | spread)
    read -r _ ratio _ < <(paste -d ' ' <(awk '$1 == "siemload" { print $2 }' "$results") \
        <(awk -v who="$who" '$1 == who { print $2 }' "$results") | awk '{ print 100 * $1 / $2 }' | spread)
    printf '%-24s %8.0f %8.0f %8.0f %20.0f %%\n' "$who" "$least" "$median" "$most" "$ratio"
done
