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
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import siemload.compare.experiment.ExperimentReader;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.config.directory.DirectoryTree;
import siemload.dataset.Datasets;
import siemload.dataset.format.EventFile;
import siemload.dataset.format.EventFormat;
import siemload.event.EventFormatException;
import siemload.event.EventLineReader;
import siemload.event.EventReader;
import siemload.event.EventReader.Outline;
import siemload.event.IdeaReader;
import siemload.event.IdeaWriter;
import siemload.event.LineProblem;
import siemload.event.SecurityEvent;
import siemload.scenario.ScenarioReader;

/** What is made of any bytes by each reader: something, or a refusal that says why; all else is a fault. Used by one thread. */
enum FuzzTarget {
    IDEA {
        @Override
        void read(byte[] input) {
            Optional<Outline> outline = new IdeaReader().outline(input, 0, input.length);
            Optional<SecurityEvent> event = event(new IdeaReader(), input);
            require(outline.isEmpty() || outline.equals(event.map(Outline::of)), "its outline is another one");
        }
    },
    CEF,
    /** The header alone, with an event behind it that can be read. */
    SYSLOG {
        @Override
        void read(byte[] input) throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            line.writeBytes(input);
            line.writeBytes(AFTER_A_HEADER);
            event(reader(EventFormat.CEF), line.toByteArray());
        }
    },
    ECS,
    OCSF,
    /** A file, plain or gzip, whose format is told from its lines: as one to search, and as one to unpack. */
    RECORDING {
        @Override
        void read(byte[] input) throws IOException {
            Path file = write(HOME.resolve("recording.log"), input);
            List<LineProblem> problems = new ArrayList<>();
            EventFormat format = EventFile.format(file, Optional.empty());
            int events = 0;
            try (EventLineReader lines =
                    EventLineReader.open(file, EventFile.reader(Path.of(""), format, file), problems::add)) {
                while (lines.next().isPresent()) {
                    events++;
                }
            }
            problems.forEach(problem -> requireReason(problem.reason()));
            // Inputs come faster than the times of files tell.
            DirectoryTree.delete(HOME.resolve("cache"));
            try {
                Datasets.open(Path.of(""), file.toString(), settings(Property.DATASET, file), text -> {})
                        .read(100, found -> {});
                require(events > 0, "a recording without an event");
            } catch (ConfigException refused) {
                requireReason(refused.getMessage());
            }
            EventLineReader.unpack(file, new ByteArrayOutputStream());
        }
    },
    MAPPING {
        @Override
        void read(byte[] input) throws IOException {
            Path line = write(HOME.resolve("line.log"), LINE);
            write(HOME.resolve("datasets/formats/ecs.yaml"), input);
            try {
                event(EventFile.reader(HOME, EventFormat.ECS, line), LINE);
            } catch (ConfigException refused) {
                requireReason(refused.getMessage());
            }
        }
    },
    SCENARIO {
        @Override
        void read(byte[] input) throws IOException {
            Path file = write(HOME.resolve("scenarios/fuzzed.yaml"), input);
            readOrRefuse(() -> ScenarioReader.read(HOME, settings(Property.SCENARIO, file)));
        }
    },
    DATASET {
        @Override
        void read(byte[] input) throws IOException {
            Path file = write(HOME.resolve("datasets/fuzzed.yaml"), DESCRIPTION);
            write(HOME.resolve("datasets/profile.yaml"), input);
            readOrRefuse(() -> Datasets.open(HOME, file.toString(), settings(Property.DATASET, file), text -> {}));
        }
    },
    /** A log of queries, whether csvlog or jsonlog; what is learnt from it can be read. */
    QUERY_LOG {
        @Override
        void read(byte[] input) throws IOException {
            learn(input);
        }
    },
    /** What a replay plays. */
    QUERY_RECORDING {
        @Override
        void read(byte[] input) throws IOException {
            Path file = write(HOME.resolve("recording.jsonl"), input);
            try {
                LearntQuery.replay(file, HOME.resolve("again.jsonl.gz"));
            } catch (IOException refused) {
                requireReason(refused.getMessage());
            }
        }
    },
    EXPERIMENT {
        @Override
        void read(byte[] input) throws IOException {
            Path file = write(HOME.resolve("experiments/fuzzed.yaml"), input);
            readOrRefuse(() -> ExperimentReader.read(HOME, file.toString()));
        }
    };

    private static final int SHORTEST_REASON = 8;
    private static final Path HOME = home();
    private static final byte[] AFTER_A_HEADER =
            "CEF:0|v|p|1|1|n|1|rt=1465214400000 src=10.0.0.1".getBytes(StandardCharsets.UTF_8);
    private static final byte[] LINE =
            ("{\"@timestamp\":\"2016-06-06T12:00:00Z\",\"event\":{\"category\":[\"network\"]},"
                            + "\"source\":{\"ip\":\"10.0.0.1\",\"port\":22},\"list\":[{\"a\":1},{\"a\":\"x\"}],\"message\":\"Failed\"}")
                    .getBytes(StandardCharsets.UTF_8);
    private static final Path MODIFIED = modified();
    private static final Map<EventFormat, EventReader> READERS = new EnumMap<>(EventFormat.class);
    private static final byte[] DESCRIPTION =
            ("description: x\nevents: 10\nstart: 2016-06-06T00:00:00Z\nspan: 1d\nseed: 1\nprofile: profile.yaml\n")
                    .getBytes(StandardCharsets.UTF_8);

    /** Throws something else than what says a refusal where there is a fault; as a line of the format of its name unless it is more. */
    void read(byte[] input) throws IOException {
        event(reader(EventFormat.valueOf(name())), input);
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
    private static EventReader reader(EventFormat format) {
        return READERS.computeIfAbsent(format, wanted -> EventFile.reader(Path.of(""), wanted, MODIFIED));
    }

    private static void learn(byte[] input) throws IOException {
        Path file = write(HOME.resolve("query.log"), input);
        try {
            LearntQuery.learn(file, HOME.resolve("scenarios/learnt.yaml"));
        } catch (ConfigException refused) {
            requireReason(refused.getMessage());
        }
    }

    private static void readOrRefuse(Runnable reading) {
        try {
            reading.run();
        } catch (ConfigException refused) {
            requireReason(refused.getMessage());
        }
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
        return Settings.of(new SettingSources(
                Map.of(property.name(), file.toString()),
                Map.of(),
                Map.of("SIEMLOAD_CACHE", HOME.resolve("cache").toString())));
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
