package siemload.run.learn;

import java.io.Closeable;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import siemload.config.Sha256;
import siemload.database.querylog.LatestUsed;
import siemload.database.querylog.QueryLogListener.LoggedStatement;
import siemload.dataset.recording.ExternalSort;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.scenario.replay.QueryRecording;
import siemload.scenario.replay.QueryRecordingWriter;
import siemload.scenario.replay.RecordedExecution;
import siemload.scenario.replay.RecordedQuery;

/**
 * A scenario that asks what was logged exactly as it was asked, and the query recording that it plays. Immutable.
 *
 * @param file whose name ends with {@code .yaml}
 * @param recording which lies beside it
 */
public record LearntReplay(Path file, Path recording) {

    /** The files of the scenario with this name. */
    public static LearntReplay of(Path file) {
        return new LearntReplay(file, LearntScenario.beside(file, "-recording.jsonl.gz"));
    }

    /**
     * Learns from logs, and writes both files. The executions lie in files beside them meanwhile, unpacked.
     *
     * @param logs in the order of time
     * @param reading told of each log that is begun
     * @return what was learnt, as {@link QueryLearner#learn} tells it
     * @throws siemload.config.ConfigException if there is nothing to learn from, or it is not clear from which database
     * @throws IOException if a log cannot be read, or a file cannot be written
     */
    public LearntQueries write(List<Path> logs, QueryLearner.Taken taken, long seed, Consumer<Path> reading)
            throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw new IOException(file + " has no directory");
        }
        Files.createDirectories(directory);
        try (LogSpool spool = new LogSpool(directory)) {
            LearntQueries learnt = QueryLearner.learn(logs, taken, seed, reading, spool::executed);
            QueryRecording written = record(spool, learnt);
            Files.writeString(file, text(written, learnt));
            return learnt;
        } catch (UncheckedIOException unwritable) {
            throw new IOException(unwritable.getMessage(), unwritable);
        }
    }

    private QueryRecording record(LogSpool spool, LearntQueries learnt) throws IOException {
        SpoolTotals totals = SpoolTotals.of(spool, learnt.statements());
        QueryRecording head = totals.head(recording);
        try (QueryRecordingWriter writer = new QueryRecordingWriter(head)) {
            spool.forEach(execution -> totals.recorded(execution).ifPresent(recorded -> {
                try {
                    writer.add(recorded);
                } catch (IOException unwritable) {
                    throw new UncheckedIOException(unwritable);
                }
            }));
        }
        return head;
    }

    private String text(QueryRecording written, LearntQueries learnt) {
        return "# Learnt by ./siemload learn-queries --replay. Statements and values are those of the log: keep both as it is kept.\n"
                + "# Run it by: " + learnt.command(file) + "\n"
                + "description: "
                + LearntScenario.quoted(String.format(
                        Locale.ROOT,
                        "%,d statements of %,d sessions, exactly as they were asked from %s on",
                        written.executions(),
                        written.sessions(),
                        written.startedAt()))
                + "\nreplay:\n  recording: "
                + LearntScenario.quoted(String.valueOf(recording.getFileName()))
                + "\n  # 2 asks everything in half the time.\n  speed: 1\n";
    }

    /**
     * Keeps all executions that are taken from logs, with when they began. A log tells when they ended, to the millisecond or so: where a
     * statement would have begun before the one before in its session had ended, it began at its end. Not thread-safe.
     */
    private static final class LogSpool implements Closeable {
        private static final int MOST_SESSIONS = 50_000;
        private static final int MOST_TEXTS = 500;
        private static final int MOST_HELD = 200_000;
        private static final long MOST_CHARACTERS = 64_000_000;

        /** They come in about the order in which they ended, and are handed over in the order in which they began. */
        private final ExternalSort<Spooled> executions;

        private long characters;
        /** Of too many sessions those are forgotten that were silent for the longest time: they count as others if they go on. */
        private final Map<String, Numbered> sessions = new LatestUsed<>(MOST_SESSIONS);

        private final Map<StatementText, Long> keys = new LatestUsed<>(MOST_TEXTS);
        private int numbers;

        /** @param beside where the executions lie meanwhile */
        LogSpool(Path beside) {
            this.executions = new ExternalSort<>(
                    Comparator.comparingLong(Spooled::startMicros),
                    new SpooledForm(),
                    MOST_HELD,
                    () -> Files.createTempFile(beside, ".siemload-spool", ""));
        }

        /**
         * An execution on its way.
         *
         * @param startMicros when it began, since 1970
         * @param session from 0
         * @param statement tells its text from others
         */
        record Spooled(long startMicros, int session, long statement, long tookMicros, List<String> values) {
            Spooled {
                values = List.copyOf(values);
            }
        }

        /** Texts may be longer than {@link DataOutput#writeUTF} takes. */
        private static final class SpooledForm implements ExternalSort.Form<Spooled> {
            @Override
            public void write(Spooled execution, DataOutput out) throws IOException {
                out.writeLong(execution.startMicros());
                out.writeInt(execution.session());
                out.writeLong(execution.statement());
                out.writeLong(execution.tookMicros());
                out.writeInt(execution.values().size());
                for (String value : execution.values()) {
                    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
                    out.writeInt(bytes.length);
                    out.write(bytes);
                }
            }

            @Override
            public Spooled read(DataInput in) throws IOException {
                long start = in.readLong();
                int session = in.readInt();
                long statement = in.readLong();
                long took = in.readLong();
                List<String> values = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    byte[] bytes = new byte[in.readInt()];
                    in.readFully(bytes);
                    values.add(new String(bytes, StandardCharsets.UTF_8));
                }
                return new Spooled(start, session, statement, took, values);
            }
        }

        /**
         * What is known of a session.
         *
         * @param number from 0
         * @param endMicros when its last statement ended
         */
        private record Numbered(int number, long endMicros) {}

        void executed(LoggedStatement statement) {
            long start = statement.endMicros() - statement.durationMicros();
            Numbered before = sessions.get(statement.session());
            int number = before == null ? numbers++ : before.number();
            long from = before == null ? start : Math.max(start, before.endMicros());
            sessions.put(statement.session(), new Numbered(number, from + statement.durationMicros()));
            long key = keys.computeIfAbsent(statement.text(), LogSpool::key);
            executions.add(new Spooled(from, number, key, statement.durationMicros(), statement.values()));
            for (String value : statement.values()) {
                characters += value.length();
            }
            if (characters >= MOST_CHARACTERS) {
                executions.spill();
                characters = 0;
            }
        }

        /** How many sessions there are at most. */
        int sessions() {
            return numbers;
        }

        void forEach(Consumer<Spooled> taker) {
            executions.forEach(taker);
        }

        /** By which a text is told from others: the first 64 bits of its SHA-256. */
        static long key(StatementText text) {
            MessageDigest digest = Sha256.digest();
            byte[] written = text.written().getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.wrap(digest.digest(written)).getLong();
        }

        @Override
        public void close() throws IOException {
            executions.close();
        }
    }

    /**
     * What a query recording will have, which must be known before it is written: which executions are of statements that are kept, and
     * how many of how many sessions these are. Takes 24 bytes for each session. Not thread-safe.
     */
    private static final class SpoolTotals {
        private static final int NONE = -1;

        private final List<RecordedQuery> queries = new ArrayList<>();
        private final Map<Long, Integer> byKey = new HashMap<>();
        private final int[] numbers;
        /** How many executions of each session are still to come, once they are handed over. */
        private final int[] left;

        private final long[] firstStarts;
        private final long[] lastEnds;
        private int sessions;
        private long executions;
        private long startMicros = Long.MAX_VALUE;
        private long endMicros = Long.MIN_VALUE;

        private SpoolTotals(int mostSessions) {
            this.numbers = new int[mostSessions];
            this.left = new int[mostSessions];
            this.firstStarts = new long[mostSessions];
            this.lastEnds = new long[mostSessions];
            Arrays.fill(numbers, NONE);
        }

        /** @param kept the statements that are recorded; at least one was executed */
        static SpoolTotals of(LogSpool spool, Map<String, LearntStatement> kept) {
            SpoolTotals totals = new SpoolTotals(spool.sessions());
            kept.forEach(totals::keep);
            spool.forEach(totals::add);
            return totals;
        }

        private void keep(String name, LearntStatement learnt) {
            StatementText text = learnt.text();
            List<String> example = text.parameters().isEmpty()
                    ? List.of()
                    : learnt.rows().rows().get(0);
            byKey.put(LogSpool.key(text), queries.size());
            Statement.Effect effect = learnt.writes() ? Statement.Effect.WRITES : Statement.Effect.READS;
            Statement statement = new Statement(new SearchName(name), text, effect);
            queries.add(new RecordedQuery(statement, example, learnt.plans().commonest()));
        }

        private void add(LogSpool.Spooled execution) {
            if (query(execution) < 0) {
                return;
            }
            int session = execution.session();
            long end = execution.startMicros() + execution.tookMicros();
            if (numbers[session] == NONE) {
                numbers[session] = sessions;
                firstStarts[sessions] = execution.startMicros();
                sessions++;
            }
            int number = numbers[session];
            left[number]++;
            lastEnds[number] = Math.max(lastEnds[number], end);
            startMicros = Math.min(startMicros, execution.startMicros());
            endMicros = Math.max(endMicros, end);
            executions++;
        }

        /** What is said before the executions. */
        QueryRecording head(Path file) {
            return new QueryRecording(
                    file,
                    Instant.EPOCH.plus(startMicros, ChronoUnit.MICROS),
                    executions,
                    sessions,
                    openAtOnce(),
                    endMicros - startMicros,
                    queries);
        }

        /** Which of the kept statements it is of; negative where it is of none. */
        private int query(LogSpool.Spooled execution) {
            return byKey.getOrDefault(execution.statement(), NONE);
        }

        /** As it is recorded, where it is of a kept statement; to be called once for each, in their order. */
        Optional<RecordedExecution> recorded(LogSpool.Spooled execution) {
            int query = query(execution);
            if (query < 0) {
                return Optional.empty();
            }
            int number = numbers[execution.session()];
            left[number]--;
            return Optional.of(new RecordedExecution(
                    execution.startMicros() - startMicros,
                    number,
                    query,
                    execution.tookMicros(),
                    left[number] == 0,
                    execution.values()));
        }

        /** Goes through the instants at which sessions begin; whoever ended at such a one is still there. */
        private int openAtOnce() {
            long[] starts = Arrays.copyOf(firstStarts, sessions);
            long[] ends = Arrays.copyOf(lastEnds, sessions);
            Arrays.sort(starts);
            Arrays.sort(ends);
            int most = 0;
            int ended = 0;
            for (int begun = 1; begun <= sessions; begun++) {
                while (ends[ended] < starts[begun - 1]) {
                    ended++;
                }
                most = Math.max(most, begun - ended);
            }
            return most;
        }
    }
}
