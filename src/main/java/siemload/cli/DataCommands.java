package siemload.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.cli.Main.SiemloadCommand;
import siemload.config.ConfigException;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.RegularFile;
import siemload.config.Settings;
import siemload.dataset.format.EventFile;
import siemload.dataset.format.EventFormat;
import siemload.dataset.learn.Learner;
import siemload.event.EventLineReader;
import siemload.event.IdeaLineWriter;
import siemload.event.LineProblem;
import siemload.event.SecurityEvent;
import siemload.results.report.FitPage;
import siemload.run.ExitCode;
import siemload.run.RunHost.ProgressBar;
import siemload.run.learn.LearntQueries;
import siemload.run.learn.LearntScenario;
import siemload.run.learn.QueryLearner;

/** The commands that turn what somebody has recorded into what siemload reads. */
final class DataCommands {
    private DataCommands() {}

    /** The option with which a command replaces the files that it makes. */
    private static final class ForceOption {
        @Option(names = "--force")
        private boolean force;

        /** Refuses a file that is to be made, named by this option, if it is there already. */
        void require(String option, Path file) {
            if (!force && Files.exists(file)) {
                throw SiemloadCommand.refused(
                        option, file + " exists (choose another name, or replace it with --force)");
            }
        }
    }

    /** Turns recordings of other formats into IDEA. */
    @Command(name = "convert")
    static final class ConvertCommand extends SiemloadCommand {
        private static final int SHOWN_PROBLEMS = 10;
        private static final int EVENTS_BETWEEN_SIGNS = 10_000;
        /** Events whose keys are data could have any number of fields. */
        private static final int MOST_FIELDS = 1_000;

        private static final int LONGEST_FIELD = 200;

        @Parameters(paramLabel = "FILE", arity = "1..*")
        private List<Path> files = new ArrayList<>();

        @Option(
                names = {"-o", "--output"},
                required = true,
                paramLabel = "FILE")
        private Path output = Path.of("");

        /** How often which field of events had no place in IDEA, by its path. */
        private final Map<String, Long> unheld = new TreeMap<>();

        private long unreadable;
        private long events;

        @Override
        ExitCode run() {
            Settings settings = host.settings();
            Path written = output.toAbsolutePath().normalize();
            for (Path file : files) {
                if (file.toAbsolutePath().normalize().equals(written)) {
                    throw new ConfigException(
                            new Origin.WholeFile(file.toString()), "cannot be read and be the output (name another)");
                }
            }
            RegularFile.requireAll(files);
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
            if (!unheld.isEmpty()) {
                host.line("without a place in IDEA, and kept in each event under the key before the dot:");
                unheld.forEach((field, count) -> host.line(String.format(Locale.ROOT, "  %-40s %,12d", field, count)));
            }
            return ExitCode.OK;
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
                            .ifPresent(left -> countUnheld(format.extension(), left));
                }
            }
            host.line(file + ": read as " + format);
        }

        private void note(LineProblem problem) {
            if (unreadable++ < SHOWN_PROBLEMS) {
                host.line(problem.toString());
            }
        }

        /** Counts all values in what is left of an event: the first fields by their paths, and all others together. */
        private void countUnheld(String path, JsonNode left) {
            if (left.isObject()) {
                left.properties().forEach(field -> countUnheld(path + "." + field.getKey(), field.getValue()));
            } else if (left.isArray()) {
                left.forEach(element -> countUnheld(path, element));
            } else {
                String shown = path.substring(0, Math.min(path.length(), LONGEST_FIELD))
                        .replaceAll("\\p{Cntrl}", "?");
                boolean known = unheld.size() < MOST_FIELDS || unheld.containsKey(shown);
                unheld.merge(known ? shown : "(fields beyond the first " + MOST_FIELDS + ")", 1L, Long::sum);
            }
        }
    }

    /** Makes a data set that looks like recorded events. */
    @Command(name = "learn")
    static final class LearnCommand extends SiemloadCommand {
        @Parameters(paramLabel = "FILE", arity = "1..*")
        private List<Path> files = List.of();

        @Option(
                names = {"-o", "--output"},
                paramLabel = "NAME",
                defaultValue = "learnt")
        private String output = "";

        @Option(names = "--fit", paramLabel = "FILE")
        private Optional<Path> page = Optional.empty();

        @Option(names = "--keep-names")
        private boolean keepNames;

        @Mixin
        private ForceOption force = new ForceOption();

        @Override
        ExitCode run() throws IOException {
            long seed = host.settings().value(Property.SEED);
            RegularFile.requireAll(files);
            List<EventFile> recorded = files.stream()
                    .map(file -> EventFile.of(host.home(), file, host.settings()))
                    .toList();
            Path dataset = outputFile();
            force.require("output", dataset);
            page.ifPresent(file -> force.require("fit", file));
            Learner.Learnt learnt;
            try (ProgressBar bar = new ProgressBar(host, "learning", expectedEvents())) {
                learnt = Learner.learn(
                        recorded, dataset, keepNames ? Learner.Names.KEEP : Learner.Names.REPLACE, seed, bar::advance);
            }
            FitPage.lines(learnt).forEach(host::line);
            host.line("");
            host.line("data set: " + dataset);
            if (page.isPresent()) {
                Files.writeString(page.get(), FitPage.of(learnt));
                host.line("page:     " + page.get());
            }
            return ExitCode.OK;
        }

        private Path outputFile() {
            if (output.toLowerCase(Locale.ROOT).endsWith(NamedFile.ENDING)) {
                return Path.of(output);
            }
            if (!output.matches("[A-Za-z0-9][A-Za-z0-9_-]*")) {
                throw refused(
                        "output",
                        "'" + output
                                + "' is neither a name (allowed: letters, digits, - and _) nor the path of a .yaml file");
            }
            return host.home().resolve("datasets").resolve(output + NamedFile.ENDING);
        }

        /** About as many as there are, by the size of the files, for the bar. */
        private long expectedEvents() throws IOException {
            long bytes = 0;
            for (Path file : files) {
                boolean packed = String.valueOf(file).toLowerCase(Locale.ROOT).endsWith(".gz");
                bytes += Files.size(file) * (packed ? 8 : 1);
            }
            return Math.max(1, bytes / 400);
        }
    }

    /** Makes a scenario of what a database has logged. */
    @Command(name = "learn-queries")
    static final class LearnQueriesCommand extends SiemloadCommand {
        @Parameters(paramLabel = "LOG", arity = "1..*")
        private List<Path> logs = List.of();

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FILE",
                required = true)
        private Path output = Path.of("");

        @Option(names = "--from", paramLabel = "DATABASE")
        private Optional<String> database = Optional.empty();

        @Option(names = "--program", paramLabel = "NAME")
        private Optional<String> program = Optional.empty();

        @Option(names = "--without", paramLabel = "TEXT")
        private List<String> without = List.of();

        @Option(names = "--replay")
        private boolean replay;

        @Option(names = "--writes")
        private boolean writes;

        @Mixin
        private ForceOption force = new ForceOption();

        @Override
        ExitCode run() throws IOException {
            long seed = host.settings().value(Property.SEED);
            RegularFile.requireAll(logs);
            if (!String.valueOf(output.getFileName()).matches("(?i).+" + NamedFile.ENDING.replace(".", "\\."))) {
                throw refused("output", "'" + output + "' is no name of a scenario (needed: one that ends with .yaml)");
            }
            QueryLearner.Taken taken = new QueryLearner.Taken(database, program, without, writes);
            LearntScenario scenario = replay ? LearntScenario.replaying(output) : LearntScenario.asking(output);
            Path beside = scenario.beside();
            if (without.stream().anyMatch(String::isBlank)) {
                throw refused(
                        "without", "leaves out every statement (needed: a part of a program, a user or a statement)");
            }
            force.require("output", output);
            force.require("output", beside);
            host.protectResults();
            LearntQueries learnt = scenario.write(logs, taken, seed, log -> host.status("reading " + log));
            host.status("");
            learnt.lines().forEach(host::line);
            host.line("");
            host.line("scenario:  " + output);
            if (Files.exists(beside)) {
                host.line((replay ? "recording: " : "values:    ") + beside);
            }
            return ExitCode.OK;
        }
    }
}
