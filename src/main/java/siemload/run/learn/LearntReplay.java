package siemload.run.learn;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
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
    private static final int MOST_HELD = 200_000;
    private static final long MOST_CHARACTERS = 64_000_000;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ExternalSort.Form<RecordedExecution> FORM = new ExternalSort.Form<>() {
        @Override
        public void write(RecordedExecution execution, DataOutput out) throws IOException {
            byte[] json = JSON.writeValueAsBytes(execution);
            out.writeInt(json.length);
            out.write(json);
        }

        @Override
        public RecordedExecution read(DataInput in) throws IOException {
            byte[] json = new byte[in.readInt()];
            in.readFully(json);
            return JSON.readValue(json, RecordedExecution.class);
        }
    };

    /** The files of the scenario with this name. */
    public static LearntReplay of(Path file) {
        return new LearntReplay(file, LearntScenario.beside(file, "-recording.jsonl.gz"));
    }

    /**
     * Learns from logs, and writes both files. The executions lie in files beside them meanwhile, unpacked: they come in about the order in
     * which they ended, and are recorded in the order in which they began.
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
        try (ExternalSort<RecordedExecution> spool = new ExternalSort<>(
                Comparator.comparingLong(RecordedExecution::offsetMicros),
                FORM,
                MOST_HELD,
                () -> Files.createTempFile(directory, ".siemload-spool", ""))) {
            LearntQueries learnt = QueryLearner.learn(logs, taken, seed, reading, spooling(spool));
            QueryRecording written = record(spool, learnt);
            Files.writeString(file, text(written, learnt));
            return learnt;
        } catch (UncheckedIOException unwritable) {
            throw new IOException(unwritable.getMessage(), unwritable);
        }
    }

    /** Keeps executions with when they began, since 1970, and the numbers of their statements. */
    private static QueryLearner.Hearer spooling(ExternalSort<RecordedExecution> spool) {
        long[] characters = new long[1];
        return (execution, begun, statement) -> {
            spool.add(new RecordedExecution(
                    begun.micros(),
                    begun.session(),
                    statement.number(),
                    execution.durationMicros(),
                    execution.values()));
            characters[0] += LearntStatement.SampledRows.length(execution.values());
            if (characters[0] >= MOST_CHARACTERS) {
                spool.spill();
                characters[0] = 0;
            }
        };
    }

    /** A session of the recording. */
    private static final class Session {
        private final int number;
        private final long startMicros;
        private long endMicros;

        Session(int number, long startMicros) {
            this.number = number;
            this.startMicros = startMicros;
        }
    }

    /** Goes through the executions twice: what there will be is said before them. */
    private QueryRecording record(ExternalSort<RecordedExecution> spool, LearntQueries learnt) throws IOException {
        List<RecordedQuery> queries = new ArrayList<>();
        Map<Integer, Integer> places = new HashMap<>();
        learnt.statements().forEach((name, statement) -> {
            StatementText text = statement.text();
            places.put(statement.number(), queries.size());
            queries.add(new RecordedQuery(
                    new Statement(new SearchName(name), text, statement.effect()),
                    statement.hasParameters() ? statement.rows().rows().get(0) : List.of(),
                    statement.plans().commonest()));
        });
        // In the order in which they begin, since that is the order of the executions.
        Map<Integer, Session> sessions = new LinkedHashMap<>();
        long[] executions = new long[1];
        spool.forEach(execution -> {
            if (places.containsKey(execution.query())) {
                Session session = sessions.computeIfAbsent(
                        execution.session(), unused -> new Session(sessions.size(), execution.offsetMicros()));
                session.endMicros = Math.max(session.endMicros, execution.offsetMicros() + execution.tookMicros());
                executions[0]++;
            }
        });
        long start = sessions.values().iterator().next().startMicros;
        long end = 0;
        int openAtOnce = 0;
        PriorityQueue<Long> open = new PriorityQueue<>();
        for (Session session : sessions.values()) {
            // Whoever ends at the instant at which another one begins is still there.
            while (!open.isEmpty() && open.element() < session.startMicros) {
                open.remove();
            }
            open.add(session.endMicros);
            openAtOnce = Math.max(openAtOnce, open.size());
            end = Math.max(end, session.endMicros);
        }
        QueryRecording head = new QueryRecording(
                recording,
                Instant.EPOCH.plus(start, ChronoUnit.MICROS),
                executions[0],
                sessions.size(),
                openAtOnce,
                end - start,
                queries);
        try (QueryRecordingWriter writer = new QueryRecordingWriter(head)) {
            spool.forEach(execution -> {
                Integer place = places.get(execution.query());
                Session session = sessions.get(execution.session());
                if (place != null && session != null) {
                    add(
                            new RecordedExecution(
                                    execution.offsetMicros() - start,
                                    session.number,
                                    place,
                                    execution.tookMicros(),
                                    execution.values()),
                            writer);
                }
            });
        }
        return head;
    }

    private static void add(RecordedExecution execution, QueryRecordingWriter writer) {
        try {
            writer.add(execution);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    private String text(QueryRecording written, LearntQueries learnt) throws IOException {
        ObjectNode scenario = LearntScenario.YAML.createObjectNode();
        scenario.put(
                "description",
                String.format(
                        Locale.ROOT,
                        "%,d statements of %,d sessions, exactly as they were asked from %s on",
                        written.executions(),
                        written.sessions(),
                        written.startedAt()));
        scenario.putObject("replay")
                .put("recording", String.valueOf(recording.getFileName()))
                .put("speed", 1);
        return LearntScenario.text("learn-queries --replay", learnt.command(file), scenario);
    }
}
