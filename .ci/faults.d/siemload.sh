# siemload is told to end, or killed.

phases() { printf '%s\n' 'starting' 'copying' 'reading the plans' 'measuring' 'looking for the fed'; }

signalled() {
    local phase
    while IFS= read -r phase; do
        start_run --duration 4s
        await "$phase" || return
        kill "-$1" "$run"
        await_end
        expect_code 130 0 4
        expect_no_trace
        expect_nothing_running
    done < <(phases)
    expect_next_run
}

fault_interrupted_in_each_phase() { signalled INT; }

fault_terminated_in_each_phase() { signalled TERM; }

fault_hung_up_in_each_phase() { signalled HUP; }

fault_interrupted_twice() {
    start_run --duration 60s
    await 'measuring' || return
    kill -INT "$run"
    pause 0.5
    kill -INT "$run"
    await_end 60
    expect_code 130
    expect_ledger
    expect_nothing_running
    expect_next_run
}

# 30 points over the whole life of a run, each with the run before it as what is left behind.
fault_killed_at_30_points() {
    local point
    for point in $(seq 1 30); do
        start_run --duration 3s
        pause "$(awk -v n="$point" 'BEGIN { printf "%.2f", n * 0.4 }')"
        kill -9 "$run" 2>/dev/null
        wait "$run" 2>/dev/null
        expect_nothing_running
    done
    note "killed 30 times"
    expect_next_run
}

fault_group_killed() {
    set -m
    start_run --duration 20s
    set +m
    await 'measuring' || return
    kill -9 -- "-$run"
    wait "$run" 2>/dev/null
    expect_nothing_running
    expect_next_run
}

fault_killed_while_loading() {
    start_run --reload
    await 'loading|starting' || return
    pause 0.5
    kill -9 "$run"
    wait "$run" 2>/dev/null
    expect_nothing_running
    expect_next_run
}

fault_two_runs_on_one_cache() {
    start_run --duration 8s
    await 'measuring' || return
    local first=$run
    run_log=$here/second.log start_run
    await_end
    expect_code 3
    expect_said 'another run uses'
    run=$first
    log=$here/run.log
    await_end
    expect_code 0 1 4
    expect_ledger
    expect_nothing_running
    expect_next_run
}
