# Runs fio, and ends it where siemload wants that or is gone: standard input, a pipe that siemload alone holds, is then closed.
# Arguments: the command line. The exit code is fio's.

# What a terminal sends to all of its processes is for siemload to answer.
trap '' HUP INT TERM PIPE
exec 3<&0

(trap - HUP INT TERM PIPE && exec "$@") </dev/null 3<&- &
fio=$!
(read -r line <&3; kill -TERM "$fio") >/dev/null 2>&1 &
watch=$!
wait "$fio"
code=$?
kill -KILL "$watch" 2>/dev/null
exit "$code"
