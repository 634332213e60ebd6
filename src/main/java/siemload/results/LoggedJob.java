package siemload.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A job of a run, as {@code items.csv} holds it. Immutable.
 *
 * @param number in the run, 1 for the first
 * @param level how many items it has
 * @param startSecond when it began, since the start of the measured phase
 * @param items those that were begun, in the order in which they ended
 */
public record LoggedJob(int number, int level, double startSecond, List<JobItem> items) {
    private static final int MOST = 100_000_000;
    private static final long MOST_MICROS = 1_000_000L * 3660 * 86_400;
    private static final double MICROS = 1e6;

    public LoggedJob {
        items = List.copyOf(items);
    }

    /**
     * Writes an item of a job.
     *
     * @param second when it ended, since the start of the measured phase
     */
    public static void write(TableWriter table, double second, int job, int level, JobItem item) {
        table.row(
                second,
                job,
                level,
                item.number(),
                item.slot().server(),
                item.slot().session(),
                item.queuedMicros(),
                item.startedMicros(),
                item.finishedMicros(),
                item.ok(),
                item.failed());
    }

    /**
     * The jobs of a run, in their order.
     *
     * @throws BrokenFileException if the file is not of this form, or says what cannot be
     * @throws java.nio.file.NoSuchFileException if the run has none
     */
    public static List<LoggedJob> read(Path directory) throws IOException {
        Map<Integer, LoggedJob> first = new TreeMap<>();
        Map<Integer, List<JobItem>> items = new TreeMap<>();
        Map<Integer, Set<Integer>> seen = new TreeMap<>();
        new TableReader(directory, RunFile.ITEMS).read(row -> {
            int number = (int) row.wholeNumber("job", 1, MOST);
            int level = (int) row.wholeNumber("level", 1, MOST);
            JobItem item = item(row, level);
            double start = row.second() - item.finishedMicros() / MICROS;
            LoggedJob job = first.computeIfAbsent(number, unused -> new LoggedJob(number, level, start, List.of()));
            if (job.level() != level) {
                throw row.wrong("level", "not the " + job.level() + " that the job had before");
            }
            if (!seen.computeIfAbsent(number, unused -> new HashSet<>()).add(item.number())) {
                throw row.wrong("item", "an item that the job had before");
            }
            items.computeIfAbsent(number, unused -> new ArrayList<>()).add(item);
        });
        return first.values().stream()
                .map(job -> new LoggedJob(
                        job.number, job.level, job.startSecond, items.getOrDefault(job.number, List.of())))
                .toList();
    }

    private static JobItem item(TableReader.Row row, int level) throws BrokenFileException {
        long queued = row.wholeNumber("queuedMicros", 0, MOST_MICROS);
        long started = row.wholeNumber("startedMicros", queued, MOST_MICROS);
        return new JobItem(
                (int) row.wholeNumber("item", 1, level),
                new JobItem.Slot((int) row.wholeNumber("server", 1, MOST), (int) row.wholeNumber("session", 1, MOST)),
                queued,
                started,
                row.wholeNumber("finishedMicros", started, MOST_MICROS),
                (int) row.wholeNumber("ok", 0, MOST),
                (int) row.wholeNumber("failed", 0, MOST));
    }

    /**
     * One item of a job: a list of searches that one session works on. Times are microseconds since the job began. Immutable.
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

        /** How long it was worked on. */
        public long micros() {
            return finishedMicros - startedMicros;
        }

        /** Whether one of its searches got no answer. */
        public boolean hasFailed() {
            return failed > 0;
        }
    }
}
