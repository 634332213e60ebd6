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
import siemload.dataset.format.EventFile;
import siemload.dataset.learn.Learner;
import siemload.results.report.FitPage;
import siemload.run.ExitCode;
import siemload.run.RunHost.ProgressBar;

/** Makes a data set that looks like recorded events. */
@Command(
        name = "learn",
        description = {
            "Makes a data set that resembles recorded events.",
            "Measures them in one pass, writes a data set that generates events like them, and says how well it fits.",
            "No address of the original gets into it, and no name unless --keep-names is given."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "  ./siemload learn events.idea.gz",
            "  ./siemload learn monday.idea tuesday.idea --output ours --fit fit.html",
            "  ./siemload learn events.idea.gz --output /srv/datasets/ours.yaml --keep-names --force",
            "  ./siemload run --dataset learnt"
        })
final class LearnCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "recordings: IDEA, CEF, ECS or OCSF, also packed by gzip")
    private List<Path> files = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "NAME",
            defaultValue = "learnt",
            description =
                    "the data set: a name in datasets/, or the path of a .yaml file (default: ${DEFAULT-VALUE})")
    private String output = "";

    @Option(
            names = "--fit",
            paramLabel = "FILE",
            description = "where to write a page with pictures of the fit (.html); none unless given")
    private Optional<Path> page = Optional.empty();

    @Option(
            names = "--keep-names",
            description =
                    "keeps names of categories, detectors and software, and the words of descriptions; addresses are"
                            + " replaced nevertheless")
    private boolean keepNames;

    @Mixin
    private ForceOption force = new ForceOption();

    @Override
    public Integer call() throws IOException {
        ProcessHost host = new ProcessHost();
        long seed = host.settings().value(Property.SEED);
        RegularFile.requireAll(files);
        List<EventFile> recorded = files.stream()
                .map(file -> EventFile.of(host.home(), file, host.settings()))
                .toList();
        Path dataset = outputFile(host.home());
        requireFree(dataset);
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
        return ExitCode.OK.number();
    }

    private Path outputFile(Path home) {
        if (output.toLowerCase(Locale.ROOT).endsWith(NamedFile.ENDING)) {
            return Path.of(output);
        }
        if (!output.matches("[A-Za-z0-9][A-Za-z0-9_-]*")) {
            throw new ConfigException(
                    new Origin.Option("output"),
                    "'" + output
                            + "' is neither a name (allowed: letters, digits, - and _) nor the path of a .yaml file");
        }
        return home.resolve("datasets").resolve(output + NamedFile.ENDING);
    }

    private void requireFree(Path dataset) {
        Problems problems = new Problems();
        force.problem("output", dataset).ifPresent(problems::add);
        page.flatMap(file -> force.problem("fit", file)).ifPresent(problems::add);
        problems.throwIfAny();
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
