# Runs a server, and stops it if siemload has ended without stopping it. Arguments: the server's data directory, the file for its log, and
# its command. Standard input stays open as long as siemload lives. To stop the server, siemload writes a line with the name of a signal.
# Standard output gets messages for people, the line 'process 4711' with the number of the server's process, and 'ready' once the server
# accepts connections. Output ends without 'ready' if the server does not start within some minutes, or with a line that begins with
# 'cannot' if an earlier server cannot be stopped. This shell ends together with the server.

# Ignore signals that a terminal sends to all of its processes, since siemload handles them. Without setsid, a job is out of the terminal's
# reach.
trap '' HUP INT TERM PIPE
[ -x /usr/bin/setsid ] || set -m
data=$1
log=$2
shift 2
exec 3<&0

# Stop a server that a killed run has left, if that run's shell was killed as well. A process of another directory is left alone: the file
# with its number may be part of a copy, and after a crash of the machine the number may belong to any process. siemload holds the lock of
# the directory, so that no run needs a server that works in the data. If the system does not report the directory of a process, the server
# decides.
if [ -d /proc/self ] && read -r left 2>/dev/null <"$data/postmaster.pid"; then
    if [ "/proc/$left/cwd" -ef "$data" ]; then
        for signal in INT QUIT; do
            looks=0
            while [ "/proc/$left/cwd" -ef "$data" ] && [ "$looks" -lt 600 ]; do
                [ "$looks" -gt 0 ] || kill "-$signal" "$left"
                sleep 0.1 2>/dev/null || sleep 1
                looks=$((looks + 1))
            done
        done
        if [ "/proc/$left/cwd" -ef "$data" ]; then
            echo "cannot stop the server that a killed run has left in $data, process $left: stop it, by kill -9 if nothing else helps"
            exit 1
        fi
        printf '%s\n' "stopped the server that a killed run had left in $data"
    else
        rm "$data/postmaster.pid"
        [ -n "$left" ] && [ -d "/proc/$left" ] && printf '%s%s\n' \
            "$data/postmaster.pid named process $left, which is not the server of this directory and was left alone" \
            " (the directory was copied, or the machine restarted, while a server ran in it)"
    fi
fi

(trap - HUP INT TERM PIPE && exec "$@") >"$log" 2>&1 </dev/null 3<&- &
server=$!
echo "process $server"

# The server writes its process number to the first line of a file, and its state to the eighth line.
state() {
    read -r number && read -r _ && read -r _ && read -r _ && read -r _ && read -r _ && read -r _ && read -r how && echo "$number $how"
}
(
    looks=0
    while kill -0 "$server" && [ "$looks" -lt 6000 ]; do
        [ "$(state <"$data/postmaster.pid")" = "$server ready" ] && echo ready && exit
        sleep 0.02 || sleep 1
        looks=$((looks + 1))
    done
) 2>/dev/null &
exec >/dev/null 2>&1

# Until this shell has waited for the server, no other process can get the server's number.
(
    while read -r signal; do
        kill "-$signal" "$server"
    done
    kill -QUIT "$server"
    kill -CONT "$server"
    # A server that has only just started, or that is stuck, does not react to these signals.
    sleep 8
    kill -KILL "$server"
) <&3 &
reader=$!
wait "$server"
kill -KILL "$reader"
