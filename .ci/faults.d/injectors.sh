# Of three injectors one is killed, or stopped, in each phase; and so is whoever coordinates them.

start_injected() { start_run --injectors 3 --checks 0.2 --details "$@"; }

# The processes of the injectors, in the order in which they were started.
injectors() { pgrep -P "$run" -f 'siemload\.cli\.Main inject$'; }

# Waits until all of them run; they are in the array "shards" then.
await_injectors() {
    local deadline=$((SECONDS + PHASE_SECONDS))
    shards=()
    until [ "${#shards[@]}" = 3 ]; do
        if [ "$SECONDS" -ge "$deadline" ] || ! kill -0 "$run" 2>/dev/null; then
            problem "never started three injectors"
            return 1
        fi
        pause 0.05
        mapfile -t shards < <(injectors)
    done
}

since() { awk -v from="$1" -v until="$EPOCHREALTIME" 'BEGIN { printf "%.1f", until - from }'; }

# The run says so within ten seconds from an instant, and ends.
expect_verdict() {
    local from=$1 said
    until grep -qE "$2" "$log"; do
        if awk -v s="$(since "$from")" 'BEGIN { exit s <= 10 }' || ! kill -0 "$run" 2>/dev/null; then
            break
        fi
        pause 0.05
    done
    said=$(since "$from")
    grep -qE "$2" "$log" || problem "did not say '$2' within $said s"
    await_end
    note "named after $said s, over after $(since "$from") s"
    expect_no_trace
    expect_no_injectors
}

expect_no_injectors() {
    local shard deadline=$((SECONDS + 15))
    for shard in "${shards[@]}"; do
        while kill -0 "$shard" 2>/dev/null && [ "$SECONDS" -lt "$deadline" ]; do
            pause 0.1
        done
        ! kill -0 "$shard" 2>/dev/null || problem "left running: injector $shard"
    done
}

# A run that has just begun to measure.
start_measuring() {
    start_injected --duration 30s
    await_injectors || return
    await 'measuring'
}

# The named injector, of three, one of which nobody could tell which number it has.
one_of_three='injector [1-3] of 3 [(]on this machine[)]'

# From the start of their processes on, over everything until they are ready and the load begins.
fault_injector_killed_while_starting() {
    local after from
    for after in 0.0 0.4 0.8 1.2 1.6 2.0 2.5 3.0 3.5 4.0; do
        start_injected
        await_injectors || return
        pause "$after"
        from=$EPOCHREALTIME
        kill -9 "${shards[1]}"
        expect_verdict "$from" "$one_of_three (has ended|cannot be understood)"
        expect_code 4
        expect_nothing_running
    done
    expect_next_run
}

# When the run says so, and a moment later.
killed_in_a_phase() {
    local from
    start_injected --warmup 3s --duration 4s
    await_injectors || return
    await "$1" || return
    pause "$2"
    from=$EPOCHREALTIME
    kill -9 "${shards[1]}"
    expect_verdict "$from" "$one_of_three (has ended|cannot be understood)"
    expect_code 4
    expect_said 'NOT VALID'
    expect_ledger
    expect_nothing_running
    expect_next_run
}

fault_injector_killed_in_the_warm_up() { killed_in_a_phase 'warm-up' 0.5; }

fault_injector_killed_while_measuring() { killed_in_a_phase 'measuring' 1; }

fault_injector_killed_at_the_end() { killed_in_a_phase 'measuring' 3.6; }

fault_injector_killed_while_it_checks_answers() { killed_in_a_phase 'checking answers' 0; }

# One is not ready, since it is stopped for a while; another one, which is, does not hear of the start.
fault_injector_stopped_until_after_the_start() {
    local from
    start_injected
    await_injectors || return
    kill -STOP "${shards[0]}"
    pause 20
    kill -STOP "${shards[1]}"
    kill -CONT "${shards[0]}"
    from=$EPOCHREALTIME
    expect_verdict "$from" "$one_of_three did not agree to the start"
    expect_code 4
    [ -z "$(find "$results" -name run.json 2>/dev/null)" ] || problem "the run has begun"
    expect_nothing_running
    expect_next_run
}

fault_injector_that_starts_late() {
    start_injected --duration 3s
    await_injectors || return
    kill -STOP "${shards[0]}"
    pause 20
    kill -CONT "${shards[0]}"
    await_end
    expect_code 0 1 4
    expect_said 'all began within'
    ! grep -qE "$one_of_three" "$log" || problem "an injector was taken for one that failed"
    expect_ledger
    expect_no_injectors
    expect_nothing_running
}

fault_injector_stopped_while_measuring() {
    local from
    start_measuring || return
    from=$EPOCHREALTIME
    kill -STOP "${shards[1]}"
    expect_verdict "$from" "$one_of_three has said nothing for"
    expect_code 4
    expect_said 'NOT VALID'
    expect_ledger
    expect_nothing_running
    expect_next_run
}

coordinator_killed() {
    local from
    start_injected --duration 30s
    await_injectors || return
    [ -z "$1" ] || await "$1" || return
    from=$EPOCHREALTIME
    kill -9 "$run"
    wait "$run" 2>/dev/null
    expect_no_injectors
    note "injectors ended after $(since "$from") s"
    expect_nothing_running
    expect_next_run
}

fault_coordinator_killed_before_the_start() { coordinator_killed ''; }

fault_coordinator_killed_while_measuring() { coordinator_killed 'measuring'; }

fault_injected_run_interrupted() {
    local from
    start_measuring || return
    from=$EPOCHREALTIME
    kill -INT "$run"
    await_end
    note "over after $(since "$from") s"
    expect_code 130
    expect_ledger
    expect_no_injectors
    expect_nothing_running
    expect_next_run
}
