# Starts a server, and ends it where siemload is gone without having stopped it. Arguments: the server's data directory, the
# file for what the starting command says, and this command. Standard input stays open as long as siemload lives, which writes
# a line once it has stopped the server; standard output takes the command's exit code.

# What a terminal sends to all of its processes is for siemload to answer.
trap '' HUP INT TERM PIPE
data=$1
output=$2
shift 2

(trap - HUP INT TERM PIPE && exec "$@") >"$output" 2>&1 </dev/null
code=$?
echo "$code"
exec >/dev/null 2>&1
[ "$code" = 0 ] && read -r server <"$data/postmaster.pid" || exit 0

read -r stopped && exit 0

# The number may be another process's by now, and the directory another server's.
read -r now <"$data/postmaster.pid" && [ "$now" = "$server" ] || exit 0
[ ! -d /proc/self ] || [ "/proc/$server/cwd" -ef "$data" ] || exit 0
kill -QUIT "$server"
kill -CONT "$server"
