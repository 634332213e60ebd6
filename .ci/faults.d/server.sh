# Faults of the server while a run measures.

embedded_process() { head -n 1 "$(find "$cache" -maxdepth 1 -name 'data-[0-9]*')/postmaster.pid"; }

fault_server_killed() {
    start_run --duration 20s
    await 'measuring' || return
    kill -9 "$(embedded_process)"
    await_end
    expect_code 3 4
    expect_said 'NOT VALID|broke down|ended'
    expect_no_trace
    expect_nothing_running
    expect_next_run
}

frozen() {
    start_run --duration "$(($1 + 7))s"
    await 'measuring' || return
    local server all
    server=$(embedded_process)
    all="$server $(pgrep -P "$server" | paste -sd ' ')"
    # shellcheck disable=SC2086 # numbers
    kill -STOP $all && pause "$1"
    # shellcheck disable=SC2086 # numbers
    kill -CONT $all
    await_end
    expect_code "${@:2}"
    expect_ledger
    expect_no_trace
    expect_nothing_running
    expect_next_run
}

fault_server_frozen_5s() { frozen 5 0 1 4; }

fault_server_frozen_70s() { frozen 70 0 1 4; }

fault_server_frozen_for_good() {
    start_run --duration 8s --timeout 3s
    await 'measuring' || return
    kill -STOP "$(embedded_process)"
    pkill -STOP -P "$(embedded_process)"
    undo() { kill -CONT "$(embedded_process)" 2>/dev/null; }
    await_end 420
    expect_code 3 4
    expect_no_trace
    expect_nothing_running
    expect_next_run
}

restarted() {
    start_external
    start_run_outside --duration 12s
    await 'measuring' || return
    pause 2
    external_control restart -m "$1"
    await_end
    expect_code 3
    expect_said 'NOT VALID.*(restart|started anew|start)'
    expect_ledger
    expect_no_trace
}

fault_server_restarted_fast() { restarted fast; }

fault_server_restarted_immediate() { restarted immediate; }

fault_all_backends_ended() {
    start_external
    start_run_outside --duration 8s
    await 'measuring' || return
    # shellcheck disable=SC2046 # numbers
    kill -TERM $(backends)
    await_end
    expect_code 0 1 4
    expect_ledger
    expect_no_trace
}

# Kills the server process that is at such a command at the moment. Searches are so short that many are needed to find one at work.
backend_killed() {
    local command=$1
    shift
    start_external
    start_run_outside --duration 12s "$@"
    await 'measuring' || return
    local backend='' deadline=$((SECONDS + 8))
    while [ -z "$backend" ] && [ "$SECONDS" -lt "$deadline" ]; do
        backend=$(pgrep -n -P "$(external_process)" -f "siemload_run.* $command\$")
    done
    kill -9 "$backend" || problem "no backend was at $command"
    await_end
    expect_code 3
    expect_said 'NOT VALID.*restarted'
    expect_ledger
    expect_no_trace
}

fault_backend_of_a_search_killed() { backend_killed SELECT --users 30 --set analysts.all.thinkTime.mean=5ms; }

fault_backend_of_the_feeder_killed() { backend_killed INSERT; }

fault_too_few_connections() {
    start_external 'max_connections = 8' 'superuser_reserved_connections = 1'
    start_run_outside --users 20
    await_end
    expect_code 3
    expect_said 'connections|clients|slots'
    expect_no_trace
}

fault_server_read_only() {
    start_external 'default_transaction_read_only = on'
    start_run_outside
    await_end
    expect_code 2 3
    expect_said 'read-only|read only'
    expect_no_trace
}

fault_user_without_rights() {
    external_sql="CREATE ROLE weak LOGIN PASSWORD 'weak'"
    start_external
    SIEMLOAD_USER=weak SIEMLOAD_PASSWORD=weak start_run_outside
    await_end
    expect_code 2 3
    expect_said 'CREATEDB|may not create|permission denied'
    expect_no_trace
}
