# Files that are missing, damaged, somebody else's, or do not fit.

data_directory() { find "$cache" -maxdepth 1 -name 'data-[0-9][0-9]'; }

# A cache of this fault alone, with a server in it that has run.
own_cache() {
    cp -a "$cache" "$here/cache"
    cache=$here/cache
    files_before=$(data_files)
}

fault_password_missing() {
    own_cache
    rm "$cache"/password-*
    start_run
    await_end
    expect_code 3
    expect_said 'password.*delete'
    expect_nothing_running
    rm -r "$(data_directory)"
    expect_next_run_anew
}

fault_password_damaged() {
    own_cache
    echo garbage >"$(echo "$cache"/password-*)"
    start_run
    await_end
    expect_code 3
    expect_said 'does not hold the password.*delete'
    expect_nothing_running
}

# The data set is loaded again, so that there are as many databases as before.
expect_next_run_anew() { expect_next_run; }

fault_data_damaged() {
    own_cache
    dd if=/dev/zero of="$(data_directory)/global/pg_control" bs=8192 count=1 conv=notrunc 2>/dev/null
    start_run
    await_end
    expect_code 3
    expect_said 'delete .*data-'
    expect_no_trace
    expect_nothing_running
    rm -r "$(data_directory)"
    expect_next_run_anew
}

fault_programs_damaged() {
    own_cache
    : >"$(echo "$cache"/programs-*/bin/postgres)"
    start_run --duration 2s
    await_end
    expect_code 3
    expect_said 'delete .*programs-'
    expect_nothing_running
    rm -r "$(echo "$cache"/programs-*)"
    expect_next_run
}

fault_cache_open_to_all() {
    own_cache
    chmod 777 "$cache"
    start_run
    await_end
    expect_code 2
    expect_said 'other users may write'
    chmod 700 "$cache"
}

fault_cache_of_another_user() {
    need_root
    own_cache
    chown 12345 "$cache"
    start_run
    await_end
    expect_code 2
    expect_said 'belongs to another user'
    chown 0 "$cache"
}

fault_results_of_another_user() {
    need_root
    mkdir "$results"
    chown 12345 "$results"
    start_run
    await_end
    expect_code 2
    expect_said 'belongs to another user'
    rm -r "$results"
}

fault_copied_cache_in_use() {
    start_run --duration 12s
    await 'measuring' || return
    local first=$run original=$cache
    own_cache
    results=$here/other run_log=$here/second.log start_run --duration 1s
    await_end
    expect_said 'left alone|damaged|delete'
    cache=$original run=$first log=$here/run.log
    await_end
    expect_code 0 1 4
    expect_ledger
    rm -rf "$here/cache"
    expect_nothing_running
}

fault_pid_file_of_another_server() {
    own_cache
    start_external
    cp "$external/postmaster.pid" "$(data_directory)/"
    start_run --duration 1s
    await_end
    expect_code 0 1 4
    expect_said 'left alone'
    kill -0 "$(external_process)" || problem "stopped another server"
}

fault_results_removed_meanwhile() {
    start_run --duration 5s
    await 'measuring' || return
    rm -rf "$results"
    await_end
    expect_code 0 2 4
    expect_said 'could not be|cannot be|incomplete|removed'
    expect_no_trace
    expect_nothing_running
}

small_disk() {
    need_root
    mkdir -p "$1"
    mount -t tmpfs -o "size=$2,mode=700" faults "$1" 2>/dev/null || skip "nothing can be mounted here"
    disk=$1
    undo() { umount -l "$disk"; }
}

fault_disk_full_results() {
    small_disk "$here/results" 1m
    start_run --duration 6s
    await 'measuring' || return
    dd if=/dev/zero of="$results/filler" bs=1k 2>/dev/null
    await_end
    expect_code 0 2 4
    expect_said 'No space left|disk'
    expect_no_trace
    expect_nothing_running
}

fault_disk_full_cache() {
    small_disk "$here/cache" 1500m
    cp -a "$cache"/. "$here/cache/"
    cache=$here/cache
    start_run --duration 20s --eps 2000 --set feeder.batch=200
    await 'measuring' || return
    dd if=/dev/zero of="$cache/filler" bs=64k 2>/dev/null
    await_end 150
    expect_code 1 3
    expect_said 'No space left|NOT VALID'
    expect_no_trace
    rm "$cache/filler"
    expect_nothing_running
}
