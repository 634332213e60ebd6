package siemload.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import siemload.compare.Comparer;
import siemload.compare.Comparer.OtherDifferences;
import siemload.compare.Comparison;
import siemload.compare.ComparisonReports;
import siemload.compare.ComparisonReports.HistoryEntry;
import siemload.compare.Experiment;
import siemload.compare.Experiment.Axis;
import siemload.compare.Experiment.ComparedVariant;
import siemload.compare.ExperimentReader;
import siemload.compare.Metric;
import siemload.compare.ResultFile;
import siemload.compare.RunLog.Ledger;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.directory.DirectoryTree;
import siemload.dataset.Datasets;
import siemload.dataset.format.EventFile;
import siemload.event.EventFormatException;
import siemload.event.EventLineReader;
import siemload.event.EventReader;
import siemload.event.IdeaReader;
import siemload.event.IdeaWriter;
import siemload.event.LineProblem;
import siemload.event.SecurityEvent;
import siemload.results.report.ExampleRun;
import siemload.results.report.RunReports;
import siemload.run.learn.LearntScenario;
import siemload.run.learn.QueryLearner;
import siemload.scenario.QueryRecording;
import siemload.scenario.QueryRecording.RecordedExecution;
import siemload.scenario.ScenarioReader;

/**
 * What is made of any bytes by each reader: something, or a refusal that says why; all else is a fault. {@code .ci/fuzz} has Jazzer make
 * inputs, and {@link KeptInputsTest} tries those that are kept. Used by one thread.
 */
public enum FuzzTarget {
    IDEA {
        @Override
        void read(byte[] input) {
            event(new IdeaReader(), input);
        }
    },
    CEF,
    LEEF,
    /** The header alone, with an event behind it that can be read. */
    SYSLOG {
        @Override
        void read(byte[] input) throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            line.writeBytes(input);
            line.writeBytes(AFTER_A_HEADER);
            event(reader("cef"), line.toByteArray());
        }
    },
    ECS,
    OCSF,
    /** A file, plain or gzip, whose format is told from its lines: as one to convert, and as one to search. */
    RECORDING {
        @Override
        void read(byte[] input) throws IOException {
            Path file = write(HOME.resolve("recording.log"), input);
            List<LineProblem> problems = new ArrayList<>();
            EventFile recording = EventFile.of(Path.of(""), file, settings(Property.DATASET, file));
            int events = 0;
            try (EventLineReader lines = EventLineReader.open(file, recording.reader(), problems::add)) {
                while (lines.next().isPresent()) {
                    events++;
                }
            }
            problems.forEach(problem -> requireReason(problem.reason()));
            // Inputs come faster than the times of files tell.
            DirectoryTree.delete(HOME.resolve("cache"));
            Datasets.open(Path.of(""), file.toString(), settings(Property.DATASET, file), text -> {})
                    .read(100, found -> {});
            require(events > 0, "a recording without an event");
        }
    },
    MAPPING {
        @Override
        void read(byte[] input) throws IOException {
            Path line = write(HOME.resolve("line.log"), LINE);
            write(HOME.resolve("datasets/formats/ecs.yaml"), input);
            event(
                    EventFile.of(HOME, line, settings(Property.FORMAT, Path.of("ecs")))
                            .reader(),
                    LINE);
        }
    },
    SCENARIO {
        @Override
        void read(byte[] input) throws IOException {
            Path file = write(HOME.resolve("scenarios/fuzzed.yaml"), input);
            ScenarioReader.read(HOME, settings(Property.SCENARIO, file));
        }
    },
    DATASET {
        @Override
        void read(byte[] input) throws IOException {
            Path file = write(HOME.resolve("datasets/fuzzed.yaml"), DESCRIPTION);
            write(HOME.resolve("datasets/profile.yaml"), input);
            var unused = Datasets.open(HOME, file.toString(), settings(Property.DATASET, file), text -> {});
        }
    },
    /** A log of queries, of csvlog, jsonlog or stderr; what is learnt from it can be read. */
    QUERY_LOG {
        @Override
        void read(byte[] input) throws IOException {
            Path log = write(HOME.resolve("query.log"), input);
            Path scenario = HOME.resolve("scenarios/learnt.yaml");
            for (boolean writes : List.of(false, true)) {
                QueryLearner.Taken taken =
                        new QueryLearner.Taken(Optional.empty(), Optional.empty(), List.of(), writes);
                for (LearntScenario learnt :
                        List.of(new LearntScenario(scenario, false), new LearntScenario(scenario, true))) {
                    var unused = learnt.write(List.of(log), taken, 1, file -> {});
                    requireScenario(scenario);
                }
            }
        }
    },
    /** What a replay plays, which is the same once it was written and read again. */
    QUERY_RECORDING {
        @Override
        void read(byte[] input) throws IOException {
            Path again = HOME.resolve("again.jsonl.gz");
            List<RecordedExecution> executions = new ArrayList<>();
            QueryRecording recording;
            try {
                recording = recording(write(HOME.resolve("recording.jsonl"), input), executions);
            } catch (IOException refused) {
                requireReason(refused.getMessage());
                return;
            }
            QueryRecording copy = new QueryRecording(
                    again,
                    recording.startedAt(),
                    recording.executions(),
                    recording.sessions(),
                    recording.openAtOnce(),
                    recording.micros(),
                    recording.queries());
            try (QueryRecording.Writer writer = new QueryRecording.Writer(copy)) {
                for (RecordedExecution execution : executions) {
                    writer.add(execution);
                }
            }
            List<RecordedExecution> found = new ArrayList<>();
            require(
                    recording(again, found).equals(copy) && found.equals(executions),
                    "written and read it is another recording");
            Files.delete(again);
        }
    },
    EXPERIMENT {
        @Override
        void read(byte[] input) throws IOException {
            Path file = write(HOME.resolve("experiments/fuzzed.yaml"), input);
            ExperimentReader.read(HOME, file.toString());
        }
    },
    /** What was measured of a run, of which a report is made. */
    RUN {
        @Override
        void read(byte[] input) throws IOException {
            result(run(), "run.json", input, RunReports::write);
        }
    },
    /** Its times, second by second. */
    TIMES {
        @Override
        void read(byte[] input) throws IOException {
            result(run(), "response-time.hlog", input, RunReports::write);
        }
    },
    COMPARISON {
        @Override
        void read(byte[] input) throws IOException {
            result(experiment(), "comparison.json", input, directory -> {
                Comparison comparison = ResultFile.COMPARISON.read(directory);
                ComparisonReports.text(ComparisonReports.report(comparison));
                ComparisonReports.write(directory, comparison);
            });
        }
    },
    GATE {
        @Override
        void read(byte[] input) throws IOException {
            result(
                    experiment(),
                    "gate.json",
                    input,
                    directory -> ComparisonReports.history(List.of(HistoryEntry.read(directory))));
        }
    },
    /** The list of the runs of an experiment, with which it goes on, and which are compared. */
    LEDGER {
        @Override
        void read(byte[] input) throws IOException {
            result(experiment(), "runs.json", input, directory -> {
                Ledger.findUnfinished(HOME, STARTED);
                try (Ledger ledger = new Ledger(directory, STARTED)) {
                    ledger.missing();
                }
                for (OtherDifferences others : OtherDifferences.values()) {
                    Comparer.compare(directory, others);
                }
            });
        }
    };

    private static final int SHORTEST_REASON = 8;
    private static final int LONGEST_REASON = 3_000;
    private static final Path HOME = home();
    private static final byte[] AFTER_A_HEADER =
            "CEF:0|v|p|1|1|n|1|rt=1465214400000 src=10.0.0.1".getBytes(StandardCharsets.UTF_8);
    private static final byte[] LINE =
            ("{\"@timestamp\":\"2016-06-06T12:00:00Z\",\"event\":{\"category\":[\"network\"]},"
                            + "\"source\":{\"ip\":\"10.0.0.1\",\"port\":22},\"list\":[{\"a\":1},{\"a\":\"x\"}],\"message\":\"Failed\"}")
                    .getBytes(StandardCharsets.UTF_8);
    private static final Path MODIFIED = modified();
    private static final Map<String, EventReader> READERS = new HashMap<>();
    private static final byte[] DESCRIPTION =
            ("description: x\nevents: 10\nstart: 2016-06-06T00:00:00Z\nspan: 1d\nseed: 1\nprofile: profile.yaml\n")
                    .getBytes(StandardCharsets.UTF_8);

    /** An experiment with two numbers of users. */
    private static final Experiment STARTED = new Experiment(
            "users",
            "Does it matter?",
            Experiment.Kind.SCALING,
            List.of(new Axis("users", List.of("1", "2"))),
            Stream.of("1", "2")
                    .map(value -> new ComparedVariant(value, Map.of("users", value)))
                    .toList(),
            Map.of("scenario", "hawat"),
            "1",
            new Metric("p50"),
            List.of(new Metric("throughput")),
            0.05,
            List.of(),
            2,
            1,
            List.of());

    /** What Jazzer finds by its name, for the target that {@code -Dfuzz.target} names. Throws whatever is a fault. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        valueOf(System.getProperty("fuzz.target", "idea").toUpperCase(Locale.ROOT))
                .tryRead(input);
    }

    /** Throws what is a fault, and nothing where the input is refused with a reason. */
    void tryRead(byte[] input) throws IOException {
        try {
            read(input);
        } catch (ConfigException refused) {
            requireReason(refused.getMessage());
        }
    }

    /** Throws something else than what says a refusal where there is a fault; as a line of the format of its name unless it is more. */
    void read(byte[] input) throws IOException {
        event(reader(id()), input);
    }

    /** As its directory of kept inputs is called, and as {@code .ci/fuzz} takes it. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The event of a line, which becomes the same once more from the JSON that is written of it. */
    private static Optional<SecurityEvent> event(EventReader reader, byte[] line) {
        try {
            SecurityEvent event = reader.read(line, 0, line.length, 0);
            SecurityEvent again = new IdeaReader().read(new IdeaWriter().toBytes(event));
            require(event.equals(again), "written and read it is another event");
            return Optional.of(event);
        } catch (EventFormatException refused) {
            requireReason(refused.getMessage());
            return Optional.empty();
        }
    }

    /** Made once, with the mapping that comes along. */
    private static EventReader reader(String format) {
        return READERS.computeIfAbsent(
                format,
                wanted -> EventFile.of(Path.of(""), MODIFIED, settings(Property.FORMAT, Path.of(wanted)))
                        .reader());
    }

    private static void requireScenario(Path scenario) {
        Settings settings = Settings.of(
                Map.of(Property.SCENARIO.name(), scenario.toString(), Property.DATA.name(), "existing"),
                Map.of(),
                Map.of());
        try {
            ScenarioReader.read(Path.of(""), settings);
        } catch (ConfigException refused) {
            throw new IllegalStateException("what was learnt is refused: " + refused.getMessage(), refused);
        }
    }

    private static QueryRecording recording(Path file, List<RecordedExecution> executions) throws IOException {
        try (QueryRecording.Reader reader = new QueryRecording.Reader(file)) {
            for (Optional<RecordedExecution> next = reader.next(); next.isPresent(); next = reader.next()) {
                executions.add(next.get());
            }
            return reader.recording();
        }
    }

    private interface ResultReader {
        void read(Path directory) throws IOException;
    }

    /** Reads a file of results among others that are whole; a refusal is one line that leads there. */
    private static void result(Path directory, String name, byte[] input, ResultReader reader) throws IOException {
        Path file = directory.resolve(name);
        Optional<byte[]> whole = Files.exists(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
        write(file, input);
        try {
            reader.read(directory);
        } catch (IOException | UncheckedIOException | ConfigException refused) {
            String reason = String.valueOf(refused.getMessage());
            require(
                    (reason.contains(directory.toString()) || reason.contains(name))
                            && reason.length() <= LONGEST_REASON
                            && reason.lines().count() == 1,
                    "a poor reason: " + reason);
        } finally {
            if (whole.isPresent()) {
                write(file, whole.orElseThrow());
            } else {
                Files.delete(file);
            }
        }
    }

    /** The directory of the experiment, with its first run. */
    private static Path experiment() throws IOException {
        Path directory = HOME.resolve("experiment");
        if (!Files.exists(directory)) {
            new Ledger(directory, STARTED).close();
            ExampleRun.copyWithShortLogsTo(directory.resolve("runs/0"));
        }
        return directory;
    }

    private static Path run() throws IOException {
        return experiment().resolve("runs/0/busy");
    }

    private static void requireReason(String reason) {
        require(reason != null && reason.length() >= SHORTEST_REASON, "it is refused without a reason");
    }

    private static void require(boolean holds, String fault) {
        if (!holds) {
            throw new IllegalStateException(fault);
        }
    }

    private static Settings settings(Property<?> property, Path file) {
        return Settings.of(
                Map.of(property.name(), file.toString()),
                Map.of(),
                Map.of("SIEMLOAD_CACHE", HOME.resolve("cache").toString()));
    }

    private static Path write(Path file, byte[] bytes) throws IOException {
        return Files.write(file, bytes);
    }

    /** A file of a day, for times without a year. */
    private static Path modified() {
        try {
            return Files.setLastModifiedTime(
                    write(HOME.resolve("modified.log"), LINE), FileTime.from(Instant.parse("2016-06-07T00:00:00Z")));
        } catch (IOException e) {
            throw new UncheckedIOException("no file of a day", e);
        }
    }

    private static Path home() {
        try {
            Path home = Files.createDirectories(Path.of("target", "fuzz"));
            Path made = Files.createTempDirectory(home, "home");
            for (String directory : List.of("datasets/formats", "scenarios", "experiments")) {
                Files.createDirectories(made.resolve(directory));
            }
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException("no directory to fuzz in", e);
        }
    }
}
