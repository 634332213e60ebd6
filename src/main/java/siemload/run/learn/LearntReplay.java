package siemload.run.learn;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
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
import java.util.PriorityQueue;
import java.util.function.Consumer;
import siemload.config.Sha256;
import siemload.database.querylog.LatestUsed;
import siemload.database.querylog.LoggedStatement;
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
            LearntQueries learnt = QueryLearner.learn(logs, taken, seed, reading, spool);
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
            spool.inOrder(execution -> {
                Optional<RecordedExecution> recorded = totals.recorded(execution);
                if (recorded.isPresent()) {
                    writer.add(recorded.get());
                }
            });
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
    private static final class LogSpool implements QueryLearner.Hearer, Closeable {
        private static final int MOST_SESSIONS = 50_000;
        private static final int MOST_TEXTS = 500;

        private final SpooledExecutions executions;
        /** Of too many sessions those are forgotten that were silent for the longest time: they count as others if they go on. */
        private final Map<String, Numbered> sessions = new LatestUsed<>(MOST_SESSIONS);

        private final Map<StatementText, Long> keys = new LatestUsed<>(MOST_TEXTS);
        private int numbers;

        /** @param beside where the executions lie meanwhile */
        LogSpool(Path beside) throws IOException {
            this.executions = new SpooledExecutions(beside);
        }

        /**
         * What is known of a session.
         *
         * @param number from 0
         * @param endMicros when its last statement ended
         */
        private record Numbered(int number, long endMicros) {}

        @Override
        public void executed(LoggedStatement statement) {
            long start = statement.endMicros() - statement.durationMicros();
            Numbered before = sessions.get(statement.session());
            int number = before == null ? numbers++ : before.number();
            long from = before == null ? start : Math.max(start, before.endMicros());
            sessions.put(statement.session(), new Numbered(number, from + statement.durationMicros()));
            long key = keys.computeIfAbsent(statement.text(), LogSpool::key);
            try {
                executions.add(new SpooledExecutions.Spooled(
                        from, number, key, statement.durationMicros(), statement.values()));
            } catch (IOException unwritable) {
                throw new UncheckedIOException(unwritable);
            }
        }

        /** How many sessions there are at most. */
        int sessions() {
            return numbers;
        }

        void inOrder(SpooledExecutions.Taker taker) throws IOException {
            executions.inOrder(taker);
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
        static SpoolTotals of(LogSpool spool, List<NamedStatement> kept) throws IOException {
            SpoolTotals totals = new SpoolTotals(spool.sessions());
            kept.forEach(totals::keep);
            spool.inOrder(totals::add);
            return totals;
        }

        private void keep(NamedStatement named) {
            StatementText text = named.statement().text();
            List<String> example = text.parameters().isEmpty()
                    ? List.of()
                    : named.statement().rows().rows().get(0);
            byKey.put(LogSpool.key(text), queries.size());
            Statement.Effect effect = named.statement().writes() ? Statement.Effect.WRITES : Statement.Effect.READS;
            Statement statement = new Statement(new SearchName(named.name()), text, effect);
            queries.add(new RecordedQuery(
                    statement, example, named.statement().plans().commonest()));
        }

        private void add(SpooledExecutions.Spooled execution) {
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
        private int query(SpooledExecutions.Spooled execution) {
            return byKey.getOrDefault(execution.statement(), NONE);
        }

        /** As it is recorded, where it is of a kept statement; to be called once for each, in their order. */
        Optional<RecordedExecution> recorded(SpooledExecutions.Spooled execution) {
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

    /**
     * Executions that come in about the order in which they ended, and are handed over in the order in which they began. They are sorted
     * piece by piece, and the pieces lie in files until they are merged, so that memory does not grow with them. Not thread-safe.
     */
    static final class SpooledExecutions implements Closeable {
        /** So that the pieces of a log of many gigabytes are some hundred files, which are open at once. */
        private static final int MOST_HELD = 200_000;

        private static final long MOST_CHARACTERS = 64_000_000;
        private static final Comparator<Spooled> BY_START = Comparator.comparingLong(Spooled::startMicros);

        private final int mostHeld;
        private final Path directory;
        private final List<Path> files = new ArrayList<>();
        private final List<Spooled> held = new ArrayList<>();
        private long characters;

        /** @param beside where the files lie for so long, in a directory of their own */
        SpooledExecutions(Path beside) throws IOException {
            this(beside, MOST_HELD);
        }

        /** @param mostHeld how many are held in memory */
        SpooledExecutions(Path beside, int mostHeld) throws IOException {
            this.mostHeld = mostHeld;
            this.directory = Files.createTempDirectory(beside, ".siemload-spool");
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

        /** Takes executions. */
        @FunctionalInterface
        interface Taker {
            void take(Spooled execution) throws IOException;
        }

        void add(Spooled execution) throws IOException {
            held.add(execution);
            for (String value : execution.values()) {
                characters += value.length();
            }
            if (held.size() >= mostHeld || characters >= MOST_CHARACTERS) {
                flush();
            }
        }

        private void flush() throws IOException {
            held.sort(BY_START);
            Path file = directory.resolve("piece-" + files.size());
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
                for (Spooled execution : held) {
                    write(execution, out);
                }
            }
            held.clear();
            characters = 0;
            files.add(file);
        }

        private static void write(Spooled execution, DataOutputStream out) throws IOException {
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

        /** Hands over all of them in the order in which they began, those of one instant in the order in which they came; may be repeated. */
        void inOrder(Taker taker) throws IOException {
            if (!held.isEmpty()) {
                flush();
            }
            PriorityQueue<PieceReader> next = new PriorityQueue<>();
            List<PieceReader> open = new ArrayList<>();
            try {
                for (int i = 0; i < files.size(); i++) {
                    PieceReader reader = new PieceReader(files.get(i), i);
                    open.add(reader);
                    if (reader.advance()) {
                        next.add(reader);
                    }
                }
                while (!next.isEmpty()) {
                    PieceReader first = next.remove();
                    taker.take(first.current());
                    if (first.advance()) {
                        next.add(first);
                    }
                }
            } finally {
                for (PieceReader reader : open) {
                    reader.close();
                }
            }
        }

        @Override
        public void close() throws IOException {
            try (DirectoryStream<Path> pieces = Files.newDirectoryStream(directory)) {
                for (Path piece : pieces) {
                    Files.delete(piece);
                }
            }
            Files.delete(directory);
        }

        /** Reads a piece. Those that came earlier go first where two executions began at once. */
        private static final class PieceReader implements Closeable, Comparable<PieceReader> {
            private final DataInputStream in;
            private final int place;
            private long left;
            private Optional<Spooled> current = Optional.empty();

            PieceReader(Path file, int place) throws IOException {
                this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
                this.place = place;
                this.left = Files.size(file);
            }

            Spooled current() {
                return current.orElseThrow();
            }

            boolean advance() throws IOException {
                if (left == 0) {
                    return false;
                }
                long start = in.readLong();
                int session = in.readInt();
                long statement = in.readLong();
                long took = in.readLong();
                int count = in.readInt();
                left -= 3L * Long.BYTES + 2L * Integer.BYTES;
                List<String> values = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    int length = in.readInt();
                    values.add(new String(in.readNBytes(length), StandardCharsets.UTF_8));
                    left -= Integer.BYTES + (long) length;
                }
                current = Optional.of(new Spooled(start, session, statement, took, values));
                return true;
            }

            @Override
            public int compareTo(PieceReader other) {
                int byStart = BY_START.compare(current(), other.current());
                return byStart != 0 ? byStart : Integer.compare(place, other.place);
            }

            @Override
            public void close() throws IOException {
                in.close();
            }
        }
    }
}
