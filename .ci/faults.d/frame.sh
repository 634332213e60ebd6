# How a fault is made and judged. Each fault is a function in a shell of its own; what it expects in vain, it notes.

PATIENCE_SECONDS=${FAULTS_PATIENCE:-240}
PHASE_SECONDS=${FAULTS_PHASE:-90}

prepare() {
    work=${FAULTS_WORK:-$(mktemp -d)}
    mkdir -p "$work"
    chmod 700 "$work"
    launcher=${SIEMLOAD_LAUNCHER:-$PWD/siemload}
    table=$work/table
    : >"$table"
    cache=$work/cache
    # Of an earlier call, which may have been broken: what its last run left on the server would count as there before.
    rm -rf "$cache"
    # Nothing of whoever calls this may reach the runs.
    unset "${!SIEMLOAD_@}"
    say "work: $work"
    "$launcher" load --dataset "$PWD/src/test/resources/datasets/tiny.yaml" --cache "$cache" >"$work/load.log" 2>&1 || {
        cat "$work/load.log"
        exit 2
    }
    files_before=$(data_files)
}

say() { printf '%s %s\n' "$(date -u +%H:%M:%S)" "$*"; }

make_fault() {
    local name=$1 function=fault_${1//-/_} started=$SECONDS status
    declare -F "$function" >/dev/null || {
        echo "there is no fault '$name' (--list tells all)" >&2
        return 1
    }
    (
        fault=$name
        here=$work/$name
        rm -rf "$here"
        mkdir -p "$here"
        results=$here/results
        log=$here/run.log
        problems=$here/problems
        seen=$here/seen
        : >"$problems"
        : >"$seen"
        trap clean_up EXIT
        "$function" >"$here/trace.log" 2>&1
    )
    status=$?
    local here=$work/$name verdict=ok
    if [ "$status" = 77 ]; then
        verdict=skipped
    elif [ "$status" != 0 ] || [ -s "$here/problems" ]; then
        verdict=FAILED
    fi
    printf '%s\t%s\t%s s\t%s\n' "$name" "$verdict" "$((SECONDS - started))" \
        "$(cat "$here/seen" "$here/problems" | paste -sd ';' | sed 's/;/; /g')" | tee -a "$table"
    [ "$verdict" != FAILED ]
}

closing_table() {
    echo
    awk -F '\t' '{ printf "%-34s %-8s %6s  %s\n", $1, $2, $3, $4 }' "$table"
    echo
    awk -F '\t' '{ n[$2]++ } END { for (v in n) printf "%s: %d  ", v, n[v]; print "" }' "$table"
    echo "hung runs: $(grep -c 'did not end' "$table"), orphans: $(grep -c 'left running' "$table")," \
        "events lost or twice unreported: $(grep -c 'lost or twice' "$table")"
}

finish_all() {
    [ -n "${FAULTS_WORK:-}" ] || rm -rf "$work"
}

# --- what faults are made of

skip() {
    echo "$*" >>"$seen"
    exit 77
}

need_root() { [ "$(id -u)" = 0 ] || skip "needs root"; }

need() { command -v "$1" >/dev/null 2>&1 || skip "needs $1"; }

problem() { echo "$*" >>"$problems"; }

note() { echo "$*" >>"$seen"; }

tiny=$PWD/src/test/resources/datasets/tiny.yaml

# A run in the background: twenty users, most of them in a pause, 200 events a second, measured for 6 s unless the fault says otherwise.
start_run() {
    # What a shell starts in the background ignores Ctrl-C.
    [ -n "${run_with:-}" ] || run_with=(env --default-signal=INT,QUIT)
    log=${run_log:-$here/run.log}
    SIEMLOAD_WARMUP=1s SIEMLOAD_DURATION=6s SIEMLOAD_USERS=20 SIEMLOAD_EPS=200 \
        SIEMLOAD_TIMEOUT=5s SIEMLOAD_CACHE=$cache SIEMLOAD_RESULTS=$results \
        "${run_with[@]}" "$launcher" run --dataset "$tiny" --set analysts.all.thinkTime.mean=100ms --set feeder.batch=20 "$@" >"$log" 2>&1 &
    run=$!
}

# Waits until the log says so.
await() {
    local deadline=$((SECONDS + PHASE_SECONDS))
    until grep -qE "$1" "$log" 2>/dev/null; do
        if [ "$SECONDS" -ge "$deadline" ] || ! kill -0 "$run" 2>/dev/null; then
            problem "never said '$1'"
            return 1
        fi
        read -rt 0.1 <> <(:) || true
    done
}

pause() { read -rt "$1" <> <(:) || true; }

# Waits for the end of the run; code is its exit code then.
await_end() {
    local deadline=$((SECONDS + ${1:-$PATIENCE_SECONDS})) started=$SECONDS
    while kill -0 "$run" 2>/dev/null; do
        if [ "$SECONDS" -ge "$deadline" ]; then
            problem "the run did not end in $((SECONDS - started)) s"
            kill -9 "$run"
            break
        fi
        pause 0.2
    done
    wait "$run"
    code=$?
    note "exit $code after $((SECONDS - started)) s"
}

expect_code() {
    local wanted
    for wanted; do
        [ "$code" = "$wanted" ] && return
    done
    problem "exit code $code, not $*"
}

# What the run must have said, and the line that did.
expect_said() {
    local line
    line=$(grep -hoE "[^|]*($1).*" "$log" | tail -n 1)
    if [ -n "$line" ]; then
        note "$(cut -c 1-150 <<<"$line")"
    else
        problem "did not say '$1' but: $(tail -n 1 "$log" | cut -c 1-150)"
    fi
}

expect_no_trace() {
    ! grep -qE '^\s+at [a-z]+\..*\(|a bug in siemload' "$log" || problem "a stack trace, or a bug"
}

# The ledger of the newest run: nothing lost, nothing twice that the run does not report.
expect_ledger() {
    local json
    json=$(find "$results" -name run.json | sort | tail -n 1)
    [ -n "$json" ] || {
        problem "no run.json"
        return
    }
    local lost twice unknown
    lost=$(field lost "$json") twice=$(field duplicated "$json") unknown=$(field unknown "$json")
    note "acknowledged $(field acknowledged "$json"), lost $lost, twice $twice, unknown $unknown"
    [ "$lost" = 0 ] && [ "$twice" = 0 ] || grep -q 'NOT VALID' "$log" || problem "events lost or twice"
}

field() { grep -oE "\"$1\" ?: ?[0-9]+" "$2" | head -n 1 | grep -oE '[0-9]+$'; }

# Servers, their guards and runs of this cache, each by the directory it works in or the words it was started with.
processes() {
    local process
    for process in /proc/[0-9]*; do
        case $(readlink "$process/cwd" 2>/dev/null) in
            "$cache" | "$cache"/* | "$here"/*) echo "${process#/proc/}" ;;
        esac
    done
}

data_files() { find "$cache"/data-*/base -mindepth 1 -maxdepth 1 -type d | wc -l; }

# Nothing runs any more, a moment after the end of the run.
expect_nothing_running() {
    local deadline=$((SECONDS + 15))
    while [ -n "$(processes)" ]; do
        if [ "$SECONDS" -ge "$deadline" ]; then
            problem "left running: $(processes | while read -r p; do tr '\0' ' ' <"/proc/$p/cmdline" | cut -c 1-60; done)"
            return
        fi
        pause 0.2
    done
}

# The next run on the same cache is fine, and what the broken one left on the server is gone.
expect_next_run() {
    log=$here/next.log
    timeout "$PATIENCE_SECONDS" "$launcher" run --dataset "$tiny" --cache "$cache" --results "$results" --users 20 \
        --set analysts.all.thinkTime.mean=100ms --warmup 0s --duration 2s --eps 100 --failOn breakdown "$@" >"$log" 2>&1
    local status=$?
    [ "$status" = 0 ] || problem "the next run ended with $status: $(tail -n 1 "$log" | cut -c 1-150)"
    [ "$(data_files)" = "$files_before" ] || problem "left databases: $(data_files), not $files_before"
    log=$here/run.log
}

clean_up() {
    [ -z "${external:-}" ] || stop_external
    [ -z "${run:-}" ] || kill -9 "$run" 2>/dev/null
    if declare -F undo >/dev/null; then
        undo
    fi
}
