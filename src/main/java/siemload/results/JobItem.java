package siemload.results;

import siemload.results.RunWriter.TableWriter;

/**
 * One item of a job: a list of searches that one session works on, a line of {@code items.csv}. Times are microseconds since the job began.
 * Immutable.
 *
 * @param number in its job, 1 for the first
 * @param slot what worked on it
 * @param queuedMicros when it was submitted
 * @param startedMicros when a session took it
 * @param finishedMicros when its last search had ended
 * @param ok searches that were answered
 * @param failed searches that failed, or that were left out when somebody ended the run
 */
public record JobItem(
        int number, Slot slot, long queuedMicros, long startedMicros, long finishedMicros, int ok, int failed) {

    /**
     * A session of a server.
     *
     * @param server 1 for the first
     * @param session of the server, 1 for the first
     */
    public record Slot(int server, int session) {}

    /**
     * Writes it.
     *
     * @param second when it ended, since the start of the measured phase
     * @param level how many items the job has
     */
    public void write(TableWriter table, double second, int job, int level) {
        table.row(
                second,
                job,
                level,
                number,
                slot.server,
                slot.session,
                queuedMicros,
                startedMicros,
                finishedMicros,
                ok,
                failed);
    }

    /** How long it was worked on. */
    public long micros() {
        return finishedMicros - startedMicros;
    }

    /** Whether one of its searches got no answer. */
    public boolean hasFailed() {
        return failed > 0;
    }
}
