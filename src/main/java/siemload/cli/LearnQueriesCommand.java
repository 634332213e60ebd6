package siemload.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.config.ConfigException;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.RegularFile;
import siemload.run.ExitCode;
import siemload.run.learn.LearntQueries;
import siemload.run.learn.LearntQueriesText;
import siemload.run.learn.LearntReplay;
import siemload.run.learn.LearntScenario;
import siemload.run.learn.QueryLearner;

/** Makes a scenario of what a database has logged. */
@Command(
        name = "learn-queries",
        description = {
            "Makes a scenario from a database's query log.",
            "Reads what a database has logged of queries, and writes a scenario that asks the same: statements and their shares,"
                    + " values of parameters, sessions and think times. Or, by --replay, one that asks exactly the same again, when"
                    + " it was asked.",
            "What writes, monitors the server or only reads its catalogue is left out and counted; --writes takes what writes,"
                    + " --without leaves out more. Texts and values of the log get into what is written: keep it as the log is kept."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "  ./siemload learn-queries postgresql.csv --output ours.yaml",
            "  ./siemload learn-queries monday.csv.gz tuesday.csv.gz --output ours.yaml --from shop --force",
            "  ./siemload learn-queries postgresql.csv --replay --output again.yaml",
            "  ./siemload run ours.yaml --data existing --url jdbc:postgresql://db.example/shop"
        })
final class LearnQueriesCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "LOG",
            arity = "1..*",
            description =
                    "logs in the order of time, also packed by gzip; docs/query-logs.md says how a server writes them")
    private List<Path> logs = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            required = true,
            description = "the scenario (.yaml); values of parameters go into a directory beside it")
    private Path output = Path.of("");

    @Option(
            names = "--from",
            paramLabel = "DATABASE",
            description = "the database whose statements are taken; needed where the logs have those of several")
    private Optional<String> database = Optional.empty();

    @Option(
            names = "--program",
            paramLabel = "NAME",
            description =
                    "the program whose statements are taken, as it calls itself (application_name); all unless given")
    private Optional<String> program = Optional.empty();

    @Option(
            names = "--without",
            paramLabel = "PATTERN",
            description =
                    "statements that are left out: of a program, of a user, or with this in their text; * stands for any"
                            + " characters. May be given several times. Statements of siemload itself, those that only read the"
                            + " system catalogue or monitor the server, and pings are left out anyway")
    private List<String> without = List.of();

    @Option(
            names = "--replay",
            description =
                    "writes a recording of all that was asked, which lies beside the scenario, and a scenario that plays it")
    private boolean replay;

    @Option(
            names = "--writes",
            description = "takes statements that write, too; a run asks them by --allowWrites alone")
    private boolean writes;

    @Mixin
    private ForceOption force = new ForceOption();

    @Override
    public Integer call() throws IOException {
        ProcessHost host = new ProcessHost();
        long seed = host.settings().value(Property.SEED);
        RegularFile.requireAll(logs);
        Path file = output();
        QueryLearner.Taken taken = new QueryLearner.Taken(database, program, without(), writes);
        if (replay) {
            return replay(host, seed, taken, LearntReplay.of(file));
        }
        LearntScenario scenario = LearntScenario.of(file);
        requireAbsent(scenario.file(), scenario.values());
        host.protectResults();
        LearntQueries learnt = QueryLearner.learn(logs, taken, seed, log -> host.status("reading " + log));
        scenario.write(learnt);
        tell(host, LearntQueriesText.lines(learnt));
        host.line("scenario: " + scenario.file());
        if (Files.isDirectory(scenario.values())) {
            host.line("values:   " + scenario.values());
        }
        return ExitCode.OK.number();
    }

    private int replay(ProcessHost host, long seed, QueryLearner.Taken taken, LearntReplay scenario)
            throws IOException {
        requireAbsent(scenario.file(), scenario.recording());
        host.protectResults();
        LearntQueries learnt = scenario.write(logs, taken, seed, log -> host.status("reading " + log));
        tell(host, LearntQueriesText.lines(learnt));
        host.line("scenario:  " + scenario.file());
        host.line("recording: " + scenario.recording());
        return ExitCode.OK.number();
    }

    private static void tell(ProcessHost host, List<String> lines) {
        host.status("");
        lines.forEach(host::line);
        host.line("");
    }

    private List<QueryLearner.Without> without() {
        Problems problems = new Problems();
        List<QueryLearner.Without> patterns = new ArrayList<>();
        for (String written : without) {
            problems.collect(new Origin.Option("without"), () -> new QueryLearner.Without(written))
                    .ifPresent(patterns::add);
        }
        problems.throwIfAny();
        return patterns;
    }

    private Path output() {
        if (!output.toString().toLowerCase(Locale.ROOT).endsWith(NamedFile.ENDING)
                || String.valueOf(output.getFileName()).length() == NamedFile.ENDING.length()) {
            throw new ConfigException(
                    new Origin.Option("output"),
                    "'" + output + "' is no name of a scenario (needed: one that ends with .yaml)");
        }
        return output;
    }

    private void requireAbsent(Path... files) {
        Problems problems = new Problems();
        for (Path file : files) {
            force.problem("output", file).ifPresent(problems::add);
        }
        problems.throwIfAny();
    }
}
