# Connections that are cut by the packet filter, on the loopback interface alone.

filter() { iptables -w "$1" INPUT -i lo -p tcp --dport "$port" -j "$2" && iptables -w "$1" INPUT -i lo -p tcp --sport "$port" -j "$2"; }

cut_off() {
    need_root
    need iptables
    iptables -w -L INPUT >/dev/null 2>&1 || skip "iptables cannot be used here"
    start_external
    start_run_outside --duration 15s --timeout 4s
    await 'measuring' || return
    target=$1
    filter -A "$target"
    undo() { filter -D "$target" 2>/dev/null; }
    [ "$2" = forever ] || {
        pause "$2"
        filter -D "$target"
        unset -f undo
    }
    await_end 360
    expect_no_trace
}

fault_packets_dropped_for_5s() {
    cut_off DROP 5
    expect_code 0 1 4
    expect_ledger
}

fault_packets_rejected_for_5s() {
    cut_off REJECT 5
    expect_code 0 1 4
    expect_ledger
}

fault_packets_dropped_for_good() {
    cut_off DROP forever
    expect_code 1 3 4
}

fault_packets_rejected_for_good() {
    cut_off REJECT forever
    expect_code 1 3 4
}
