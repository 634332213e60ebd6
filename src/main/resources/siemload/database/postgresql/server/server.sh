# Runs a server, and ends it where siemload is gone without having stopped it. Arguments: its data directory, the file for its log, and
# its command. Standard input stays open as long as siemload lives, which stops the server by the name of a signal in a line. Standard
# output takes what people should know, the line 'process 4711' with the number of the server's process, and 'ready' once it accepts
# connections; it ends without that where the server does not start in some minutes, or with a line that begins with 'cannot' where a
# server that was left cannot be stopped. Ends with the server.

# What a terminal sends to all of its processes is for siemload to answer: also where nothing but a job is out of its reach.
trap '' HUP INT TERM PIPE
[ -x /usr/bin/setsid ] || set -m
data=$1
log=$2
shift 2
exec 3<&0

# A server that a killed run has left, whose shell was killed as well. One of another directory is left alone: the file that names it may
# have come with a copy, and after a crash of the machine the number may belong to any process. siemload holds the lock of the directory,
# so that what works in the data is nobody's. Where the system does not tell in which directory a process works, the server decides.
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

# The server tells its number in the first line of a file, and how far it is in the eighth.
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

# Until this shell has waited for it, the number is that of no other process.
(
    while read -r signal; do
        kill "-$signal" "$server"
    done
    kill -QUIT "$server"
    kill -CONT "$server"
    # One that has only just begun, or that is stuck, does not heed that.
    sleep 8
    kill -KILL "$server"
) <&3 &
reader=$!
wait "$server"
kill -KILL "$reader"
