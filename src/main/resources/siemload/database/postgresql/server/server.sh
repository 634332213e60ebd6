# Runs a server, and ends it where siemload is gone without having stopped it. Arguments: the file for its log, and its command.
# Standard input stays open as long as siemload lives, which stops the server by the name of a signal in a line; standard output
# takes the number of the server's process. Ends with the server.

# What a terminal sends to all of its processes is for siemload to answer: also where nothing but a job is out of its reach.
trap '' HUP INT TERM PIPE
[ -x /usr/bin/setsid ] || set -m
log=$1
shift
exec 3<&0
(trap - HUP INT TERM PIPE && exec "$@") >"$log" 2>&1 </dev/null 3<&- &
server=$!
echo "$server"
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
