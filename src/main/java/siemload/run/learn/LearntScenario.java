package siemload.run.learn;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.NamedFile;
import siemload.dataset.TimedFile;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.scenario.QueryRecording;
import siemload.scenario.QueryRecording.RecordedExecution;

/**
 * A scenario that repeats logged statements, and the files next to it. Immutable.
 *
 * @param file the scenario file, whose name ends with {@code .yaml}
 * @param replays whether each execution is repeated at its time, instead of the same statements with the same frequencies
 */
public record LearntScenario(Path file, boolean replays) {
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER, YAMLGenerator.Feature.SPLIT_LINES)
            .enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Returns the directory with the values of statements or, for a scenario that replays, the query recording. */
    public Path beside() {
        String name = String.valueOf(file.getFileName());
        String ending = replays ? "-recording.jsonl.gz" : "-values";
        return file.resolveSibling(name.substring(0, name.length() - NamedFile.ENDING.length()) + ending);
    }

    /**
     * Learns from logs, and writes the scenario; removes only the files that it replaces. The executions of a replay are first kept in
     * temporary files next to it, uncompressed. They come in about the order of their ends, and are recorded in the order of their starts.
     *
     * @param logs in the order of time
     * @param reading receives each log before it is read
     * @throws siemload.config.ConfigException if there is nothing to learn from, or the database to learn from is unclear
     * @throws IOException if a log cannot be read, or a file cannot be written
     */
    public LearntQueries write(List<Path> logs, QueryLearner.Taken taken, long seed, Consumer<Path> reading)
            throws IOException {
        Files.createDirectories(directory());
        ObjectNode scenario = YAML.createObjectNode();
        try {
            LearntQueries learnt;
            if (replays) {
                learnt = replay(logs, taken, seed, reading, scenario);
            } else {
                learnt = QueryLearner.learn(logs, taken, seed, reading, execution -> {});
                ask(learnt, scenario);
            }
            String head = "# Learnt by ./siemload learn-queries" + (replays ? " --replay" : "")
                    + ". Statements and values are from the log: protect both as you protect the log.\n# Run it with: ";
            Files.writeString(file, head + learnt.command(file) + "\n" + YAML.writeValueAsString(scenario));
            return learnt;
        } catch (UncheckedIOException unwritable) {
            throw new IOException(unwritable.getMessage(), unwritable);
        }
    }

    private Path directory() {
        return file.toAbsolutePath().resolveSibling("");
    }

    private LearntQueries replay(
            List<Path> logs, QueryLearner.Taken taken, long seed, Consumer<Path> reading, ObjectNode scenario)
            throws IOException {
        Path spool = Files.createTempFile(directory(), ".siemload-spool", "");
        try {
            LearntQueries learnt;
            try (TimedFile.Writer writer = new TimedFile.Writer(spool)) {
                learnt = QueryLearner.learn(logs, taken, seed, reading, execution -> {
                    try {
                        writer.add(execution.offsetMicros(), JSON.writeValueAsBytes(execution));
                    } catch (IOException e) {
                        throw new UncheckedIOException("executions cannot be kept: " + e.getMessage(), e);
                    }
                });
            }
            TimedFile.sort(spool, new BitSet());
            try (TimedFile executions = new TimedFile(spool)) {
                replay(executions, learnt, scenario);
            }
            return learnt;
        } finally {
            TimedFile.delete(spool);
        }
    }

    private void ask(LearntQueries learnt, ObjectNode scenario) throws IOException {
        LearntQueries.SessionTimes times = learnt.sessions();
        String described = "%,d statements of %,d sessions, from the log of %s to %s";
        Object[] found = {learnt.executions(), times.sessions(), times.first(), times.last()};
        scenario.put("description", LearntQueries.text(described, found));
        ObjectNode statements = scenario.putObject("statements");
        ObjectNode analysts = scenario.putArray("analysts").addObject();
        analysts.put("name", "sessions").put("users", learnt.users());
        analysts.set("thinkTime", YAML.readTree(learnt.thinkTime()));
        // The mix is in percent of all executions.
        ObjectNode mix = analysts.putObject("mix");
        for (Map.Entry<String, LearntQueries.LearntStatement> named :
                learnt.statements().entrySet()) {
            String name = named.getKey();
            LearntQueries.LearntStatement statement = named.getValue();
            double percent = Math.max(0.000_001, 100.0 * statement.count() / learnt.executions());
            mix.put(name, BigDecimal.valueOf(percent).setScale(6, RoundingMode.HALF_UP));
            ObjectNode written =
                    statements.putObject(name).put("sql", statement.text().written());
            if (statement.writes()) {
                written.put("writes", true);
            }
            if (statement.hasParameters()) {
                written.put("rows", beside().getFileName() + "/" + name + ".csv");
                Files.createDirectories(beside());
                Files.writeString(beside().resolve(name + ".csv"), csv(statement));
            }
        }
        scenario.putObject("phases").put("warmup", "10s").put("measurement", "60s");
    }

    private static String csv(LearntQueries.LearntStatement statement) {
        StringBuilder csv = new StringBuilder(String.join(",", statement.text().parameters())).append('\n');
        for (List<String> row : statement.rows().rows()) {
            Stream<String> values = row.stream().map(value -> '"' + value.replace("\"", "\"\"") + '"');
            csv.append(values.collect(Collectors.joining(",", "", "\n")));
        }
        return csv.toString();
    }

    /** Reads the executions twice: the header with their number comes before them. */
    private void replay(TimedFile spool, LearntQueries learnt, ObjectNode scenario) throws IOException {
        List<QueryRecording.RecordedQuery> queries = new ArrayList<>();
        Map<Integer, Integer> places = new HashMap<>();
        learnt.statements().forEach((name, statement) -> {
            places.put(statement.number(), queries.size());
            queries.add(new QueryRecording.RecordedQuery(
                    new Statement(new SearchName(name), statement.text(), statement.effect()),
                    statement.hasParameters() ? statement.rows().rows().get(0) : List.of()));
        });
        // The number, start and end of each session, in the order of their starts, since that is the order of the
        // executions.
        Map<Integer, long[]> sessions = new LinkedHashMap<>();
        long executions = 0;
        for (int i = 0; i < spool.count(); i++) {
            RecordedExecution execution = execution(spool, i);
            if (places.containsKey(execution.query())) {
                long begin = execution.offsetMicros();
                long[] session = sessions.computeIfAbsent(
                        execution.session(), unused -> new long[] {sessions.size(), begin, begin});
                session[2] = Math.max(session[2], begin + execution.tookMicros());
                executions++;
            }
        }
        long start = sessions.values().iterator().next()[1];
        long end = 0;
        int openAtOnce = 0;
        PriorityQueue<Long> open = new PriorityQueue<>();
        for (long[] session : sessions.values()) {
            // A session that ends when another one begins counts as still open.
            while (!open.isEmpty() && open.element() < session[1]) {
                open.remove();
            }
            open.add(session[2]);
            openAtOnce = Math.max(openAtOnce, open.size());
            end = Math.max(end, session[2]);
        }
        Instant startedAt = Instant.EPOCH.plus(start, ChronoUnit.MICROS);
        try (QueryRecording.Writer writer = new QueryRecording.Writer(new QueryRecording(
                beside(), startedAt, executions, sessions.size(), openAtOnce, end - start, queries))) {
            for (int i = 0; i < spool.count(); i++) {
                RecordedExecution execution = execution(spool, i);
                Integer place = places.get(execution.query());
                long[] session = sessions.get(execution.session());
                if (place != null && session != null) {
                    long offset = execution.offsetMicros() - start;
                    writer.add(new RecordedExecution(
                            offset, (int) session[0], place, execution.tookMicros(), execution.values()));
                }
            }
        }
        String described = "%,d statements of %,d sessions, exactly as they were asked from %s on";
        scenario.put("description", LearntQueries.text(described, executions, sessions.size(), startedAt));
        scenario.putObject("replay")
                .put("recording", String.valueOf(beside().getFileName()))
                .put("speed", 1);
    }

    private static RecordedExecution execution(TimedFile spool, int number) throws IOException {
        return JSON.readValue(spool.get(number), RecordedExecution.class);
    }
}
