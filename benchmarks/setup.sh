# Sourced by the scripts beside it: builds siemload and keeps one embedded PostgreSQL server for a whole script.
# shellcheck shell=bash

home=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
work=$home/target/benchmarks
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
server=

fail() {
    echo "$(basename -- "$0"): $*" >&2
    exit 1
}

need() {
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null || fail "'$program' was not found; $0 needs $* (Debian: postgresql-client and postgresql-contrib)"
    done
}

# Builds everything and sets $classpath, with the benchmarks' own classes.
build() {
    need "$java" mvn
    mkdir -p "$work"
    echo "building..." >&2
    (cd "$home" && mvn -B -q test-compile dependency:build-classpath -Dmdep.outputFile=target/benchmarks/classpath) \
        >"$work/build.log" 2>&1 </dev/null || fail "the build failed, see $work/build.log"
    classpath=$home/target/classes:$home/target/test-classes:$(cat "$work/classpath")
}

# Runs a class of the benchmarks, in this process where it is called in the background.
run_class() {
    "$java" -cp "$classpath" "$@"
}

# Starts the server, and sets what psql, pgbench and siemload go by. It stops with the script.
start_server() {
    rm -f "$work/server.in" "$work/server.out"
    mkfifo "$work/server.in"
    exec 9<>"$work/server.in"
    "$java" -Xmx64m -cp "$classpath" siemload.benchmark.BenchmarkServer "$work/server" \
        <"$work/server.in" >"$work/server.out" 2>"$work/server.err" 9>&- &
    server=$!
    trap stop_server EXIT
    trap 'exit 130' INT TERM
    until grep -qs '^ready ' "$work/server.out"; do
        kill -0 "$server" 2>/dev/null || fail "the server did not start: $(cat "$work/server.err")"
        sleep 0.2
    done
    read -r _ PGPORT PGUSER PGPASSWORD <"$work/server.out"
    export PGHOST=127.0.0.1 PGPORT PGUSER PGPASSWORD PGDATABASE=postgres
    export SIEMLOAD_USER=$PGUSER SIEMLOAD_PASSWORD=$PGPASSWORD SIEMLOAD_YES=true SIEMLOAD_URL=jdbc:postgresql://127.0.0.1:$PGPORT/postgres
    export SIEMLOAD_CACHE=$work/server
}

stop_server() {
    trap - EXIT
    exec 9>&-
    wait "$server" 2>/dev/null || true
    rm -f "$work/server.in"
}

# The value of an SQL expression or query.
sql() {
    psql -X -A -t -q -v ON_ERROR_STOP=1 "$@"
}

# Min, median and max of the numbers on standard input.
spread() {
    sort -n | awk '{ v[NR] = $1 } END { printf "%.1f %.1f %.1f\n", v[1], NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2, v[NR] }'
}
