package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;

@Tag("every-java")
class MainTest {
    private static final List<String> HEADINGS = List.of("scenarios", "data sets", "targets", "searches");

    @TempDir
    private Path directory;

    @Test
    void listGivesEveryEntryOneLine() throws Exception {
        ChildProcess.Ended list = siemload("list");

        assertThat(list.exitCode()).isZero();
        assertThat(list.output()).contains("hawat", "mentat", "smoke", "cesnet-week", "postgresql", "keyset", "OTHER2");
        assertThat(list.output().lines().map(String::strip))
                .allMatch(line -> HEADINGS.contains(line.replaceAll("/.*", "")) || line.split(" {2,}").length == 2);
    }

    @Test
    void validateShowsEachValueWithItsOrigin() throws Exception {
        ChildProcess.Ended validate = siemload("validate", "hawat", "--users", "50", "-Deps=1000");

        assertThat(validate.exitCode()).isZero();
        assertThat(validate.output())
                .containsPattern("analysts\\[tier-1].users +50 +--users")
                .containsPattern("feeder.eps +1000 +-Deps")
                .containsPattern("feeder.batch +50 +scenarios/hawat.yaml:\\d+:\\d+")
                .containsPattern("timeout +60s +default");
    }

    @Test
    void reportMakesTheReportsOfARunAgainFromItsFiles() throws Exception {
        Path run = Files.createDirectory(directory.resolve("a run"));
        Files.copy(Path.of("src/test/resources/golden/run.json"), run.resolve("run.json"));

        ChildProcess.Ended report = siemload("report", run.toString(), "--details", "false");

        assertThat(report.exitCode()).isZero();
        assertThat(report.output())
                .startsWith("\nhawat: ")
                .contains("\nHAWAT1 ", "322 more, about --duration=8m\n")
                .doesNotContain("I/O of one")
                .endsWith("\nreport: " + run.resolve("report.html") + "\n");
        assertThat(siemload("report", run.toString(), "--details").output()).contains("I/O of one");
        assertThat(run)
                .isDirectoryContaining("glob:**/report.{txt,html}")
                .isDirectoryContaining("glob:**/summary.md")
                .isDirectoryContaining("glob:**/junit.xml");
    }

    @Test
    void verboseAddsTheStackTrace() throws Exception {
        ChildProcess.Ended run =
                siemload("run", "--url", "jdbc:postgresql://127.0.0.1:1/postgres", "--verbose", "true");

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.output()).contains("\tat ");
    }

    @Test
    void helpShowsTheMostUsedOptionsAndTheOneThatShowsAllOthers() {
        String brief = help("run", "--help");

        assertThat(brief.lines()).hasSizeLessThan(60);
        assertThat(brief)
                .contains("--scenario", "--target", "--url", "--users", "--eps", "--duration", "--dataset", "--indexes")
                .contains("--hint", "--results", "--set", "--help-all")
                .doesNotContain("--warmup");
        assertThat(help("run", "--help-all")).contains("--warmup", "the time before measuring");
    }

    private static String help(String command, String option) {
        return Objects.requireNonNull(
                        Main.commandLine(command, option).getSubcommands().get(command))
                .getUsageMessage();
    }

    @Test
    void allCommandsAndTheirOptionsAreExplainedAndShowHowTheyAreUsed() {
        Main.commandLine().getSubcommands().forEach((name, command) -> {
            CommandSpec spec = command.getCommandSpec();
            assertThat(spec.usageMessage().description()).as(name).isNotEmpty();
            assertThat(spec.usageMessage().footer()).as(name).isNotEmpty();
            assertThat(spec.args())
                    .as(name)
                    .allSatisfy(one ->
                            assertThat(one.description()).as(name + " " + one).isNotEmpty());
        });
    }

    @Test
    void theWordAfterASwitchIsTheScenario() {
        assertThat(Arguments.read(List.of("run", "--live", "hawat")))
                .isEqualTo(Map.of("live", "true", "scenario", "hawat"));
        assertThat(Arguments.read(List.of("run", "--live", "false", "hawat")))
                .isEqualTo(Map.of("live", "false", "scenario", "hawat"));
        assertThatThrownBy(() -> Arguments.read(List.of("run", "--live=maybe")))
                .hasMessage("Invalid value for option '--live': 'maybe' is not a boolean");
    }

    @Test
    void theVersionHasTheCommit() {
        assertThat(new Main.Version().getVersion()[0]).matches("siemload .+, commit [0-9a-f]{12}( with changes)?");
    }

    private ChildProcess.Ended siemload(String... arguments) throws IOException, InterruptedException {
        return Siemload.run(directory, arguments);
    }
}
