# A server that is not siemload's own, made of the same programs: at 127.0.0.1, with a user of its own.

user_namespace() { if [ "$(id -u)" = 0 ]; then unshare -U "$@"; else "$@"; fi; }

external_control() {
    user_namespace "$programs/bin/pg_ctl" -D "$here/server" -w -t 60 "$@" >>"$here/pg_ctl.log" 2>&1 </dev/null
}

# Further arguments are lines of its configuration; the variable external_sql is run in it first.
start_external() {
    programs=$(find "$cache" -maxdepth 1 -name 'programs-????????' -print -quit)
    port=$((20000 + RANDOM % 20000))
    external=$here/server
    export SIEMLOAD_USER=faults SIEMLOAD_PASSWORD=faults
    echo faults >"$here/password"
    user_namespace "$programs/bin/initdb" -D "$external" -U faults -A scram-sha-256 --pwfile="$here/password" \
        --locale=C -E UTF8 >"$here/initdb.log" 2>&1 || problem "initdb failed"
    printf "listen_addresses = '127.0.0.1'\nport = %s\nunix_socket_directories = ''\n" "$port" >>"$external/postgresql.conf"
    printf '%s\n' "$@" >>"$external/postgresql.conf"
    [ -z "${external_sql:-}" ] || user_namespace "$programs/bin/postgres" --single -D "$external" postgres \
        <<<"$external_sql" >"$here/single.log" 2>&1 || problem "the external server did not take '$external_sql'"
    external_control start -l "$here/server.log" || problem "the external server did not start"
    url=jdbc:postgresql://127.0.0.1:$port/postgres
}

stop_external() { external_control stop -m immediate; }

external_process() { head -n 1 "$external/postmaster.pid"; }

# The server processes that belong to sessions.
backends() { pgrep -P "$(external_process)" -f "127.0.0.1\\("; }

start_run_outside() {
    start_run --url "$url" --cache "$here/cache" --yes --allowBusyServer --abortIf 'errorRatio > 0.9 for 60s' "$@"
}
