# Too little of what the system gives.

fault_little_memory() {
    SIEMLOAD_JAVA_OPTS=-Xmx36m start_run --users 40 --eps 300 --duration 5s
    await_end
    expect_code 2
    expect_said 'out of memory'
    expect_nothing_running
    expect_next_run
}

fault_little_memory_for_a_load() {
    SIEMLOAD_JAVA_OPTS=-Xmx24m "$launcher" load --dataset smoke --cache "$cache" --reload >"$log" 2>&1 &
    run=$!
    await_end
    expect_code 2
    expect_said 'out of memory'
    expect_no_trace
    expect_nothing_running
}

limited_run() {
    run_with=(bash -c "ulimit $1 && exec \"\$@\"" limited)
    start_run "${@:2}"
    await_end
    expect_nothing_running
}

fault_few_file_descriptors() {
    limited_run '-n 64' --users 60
    expect_code 2
    expect_said 'file descriptors.*ulimit'
    expect_no_trace
}

# The limit of processes does not hold for root.
fault_few_threads() {
    [ "$(id -u)" != 0 ] || skip "the limit does not hold for root"
    local more
    for more in 25 32 45 70; do
        limited_run "-u $(($(ps -L -u "$(id -u)" --no-headers | wc -l) + more))" --users 60
        expect_code 2 3
        expect_said 'thread|processes|server stopped|Connection reset|EOF'
        expect_no_trace
    done
}

fault_slow_reader_of_the_live_view() {
    start_run --duration 6s --live --liveAddress 127.0.0.1:0
    await 'live: http' || return
    local address
    address=$(grep -oE 'http://127.0.0.1:[0-9]+' "$log" | head -n 1)
    # Asks and never reads.
    exec 9<>"/dev/tcp/127.0.0.1/${address##*:}"
    printf 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n' >&9
    await_end
    exec 9>&-
    expect_code 0 1 4
    expect_ledger
    expect_nothing_running
}
