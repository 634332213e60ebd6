package siemload.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
            paramLabel = "TEXT",
            description =
                    "statements that are left out: with this in their program, their user or their text. May be given several"
                            + " times. Statements of siemload itself, those that only read the system catalogue or monitor the"
                            + " server, and pings are left out anyway")
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
        QueryLearner.Taken taken = new QueryLearner.Taken(database, program, without, writes);
        Path beside = replay
                ? LearntReplay.of(file).recording()
                : LearntScenario.of(file).values();
        Problems problems = new Problems();
        if (without.stream().anyMatch(String::isBlank)) {
            problems.add(
                    new Origin.Option("without"),
                    "leaves out every statement (needed: a part of a program, a user or a statement)");
        }
        List.of(file, beside).forEach(made -> force.problem("output", made).ifPresent(problems::add));
        problems.throwIfAny();
        host.protectResults();
        LearntQueries learnt;
        if (replay) {
            learnt = LearntReplay.of(file).write(logs, taken, seed, log -> host.status("reading " + log));
        } else {
            learnt = QueryLearner.learn(logs, taken, seed, log -> host.status("reading " + log));
            LearntScenario.of(file).write(learnt);
        }
        host.status("");
        learnt.lines().forEach(host::line);
        host.line("");
        host.line("scenario:  " + file);
        if (Files.exists(beside)) {
            host.line((replay ? "recording: " : "values:    ") + beside);
        }
        return ExitCode.OK.number();
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
}
