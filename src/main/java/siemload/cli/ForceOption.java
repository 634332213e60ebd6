package siemload.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;
import siemload.config.Origin;
import siemload.config.Problem;

/** The option with which a command replaces the files that it makes. */
final class ForceOption {
    @Option(names = "--force", description = "replaces files that exist")
    private boolean force;

    /** What is wrong with a file that is to be made, named by this option; empty if it can be. */
    Optional<Problem> problem(String option, Path file) {
        return force || !Files.exists(file)
                ? Optional.empty()
                : Optional.of(new Problem(
                        new Origin.Option(option), file + " exists (choose another name, or replace it with --force)"));
    }
}
