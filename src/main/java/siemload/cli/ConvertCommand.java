package siemload.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.RegularFile;
import siemload.config.Settings;
import siemload.dataset.format.EventFile;
import siemload.dataset.format.EventFormat;
import siemload.event.EventLineReader;
import siemload.event.IdeaLineWriter;
import siemload.event.LineProblem;
import siemload.event.SecurityEvent;
import siemload.run.ExitCode;

/** Turns recordings of other formats into IDEA. */
@Command(
        name = "convert",
        description = {
            "Converts events in CEF, ECS or OCSF to IDEA JSON Lines.",
            "Also says which fields IDEA has no place for."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "  ./siemload convert firewall.log --output firewall.idea.gz",
            "  ./siemload convert a.ndjson b.ndjson --format ecs --output both.idea"
        })
final class ConvertCommand implements Callable<Integer> {
    private static final int SHOWN_PROBLEMS = 10;
    private static final int EVENTS_BETWEEN_SIGNS = 10_000;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "what to read, plain or gzip")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "where to write; compressed if the name ends with .gz")
    private Path output = Path.of("");

    private final ProcessHost host = new ProcessHost();
    private final UnheldFields unheld = new UnheldFields();
    private long unreadable;
    private long events;

    @Override
    public Integer call() {
        Settings settings = host.settings();
        files.forEach(this::requireReadable);
        try (IdeaLineWriter writer = IdeaLineWriter.open(output, host::onShutdown)) {
            for (Path file : files) {
                convert(file, settings, writer);
            }
            if (events == 0) {
                throw new ConfigException(new Origin.WholeFile(output.toString()), "there was no event to write");
            }
            writer.finish();
        }
        host.status("");
        host.line(String.format(Locale.ROOT, "%s: %,d events, %,d unreadable lines", output, events, unreadable));
        unheld.lines().forEach(host::line);
        return ExitCode.OK.number();
    }

    private void convert(Path file, Settings settings, IdeaLineWriter writer) {
        EventFile recorded = EventFile.of(host.home(), file, settings);
        EventFormat format = recorded.format();
        try (EventLineReader reader = EventLineReader.open(file, recorded.reader(), this::note)) {
            for (Optional<SecurityEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                writer.write(List.of(event.get()));
                if (++events % EVENTS_BETWEEN_SIGNS == 0) {
                    host.status(String.format(Locale.ROOT, "converting %s: %,d events", file, events));
                }
                Optional.ofNullable(event.get().other().get(format.extension()))
                        .ifPresent(left -> unheld.add(format.extension(), left));
            }
        }
        host.line(file + ": read as " + format);
    }

    private void note(LineProblem problem) {
        if (unreadable++ < SHOWN_PROBLEMS) {
            host.line(problem.toString());
        }
    }

    private void requireReadable(Path file) {
        Optional<String> refusal = RegularFile.refusal(file);
        if (file.toAbsolutePath().normalize().equals(output.toAbsolutePath().normalize())) {
            refusal = Optional.of("cannot be read and be the output (name another)");
        }
        refusal.ifPresent(reason -> {
            throw new ConfigException(new Origin.WholeFile(file.toString()), reason);
        });
    }

    /**
     * How often which field of events had no place in IDEA: the first thousand different ones by their paths, since events whose
     * keys are data could have any number, and all others together. Not thread-safe.
     */
    private static final class UnheldFields {
        private static final int MOST = 1_000;
        private static final int LONGEST_SHOWN = 200;

        private final Map<String, Long> counts = new TreeMap<>();
        private long others;

        /** Counts all values in what is left of an event. */
        void add(String path, JsonNode left) {
            if (left.isObject()) {
                left.properties().forEach(field -> add(path + "." + field.getKey(), field.getValue()));
            } else if (left.isArray()) {
                left.forEach(element -> add(path, element));
            } else {
                String shown = path.substring(0, Math.min(path.length(), LONGEST_SHOWN))
                        .replaceAll("\\p{Cntrl}", "?");
                if (counts.size() < MOST || counts.containsKey(shown)) {
                    counts.merge(shown, 1L, Long::sum);
                } else {
                    others++;
                }
            }
        }

        /** A line for each field, with a heading; none if there was no field. */
        List<String> lines() {
            List<String> lines = new ArrayList<>();
            if (!counts.isEmpty()) {
                lines.add("without a place in IDEA, and kept in each event under the key before the dot:");
                counts.forEach((field, count) -> lines.add(line(field, count)));
            }
            if (others > 0) {
                lines.add(line("(fields beyond the first " + MOST + ")", others));
            }
            return lines;
        }

        private static String line(String field, long count) {
            return String.format(Locale.ROOT, "  %-40s %,12d", field, count);
        }
    }
}
