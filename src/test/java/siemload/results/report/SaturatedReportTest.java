package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.results.RunResult;
import siemload.results.RunResult.Disturbance;
import siemload.results.RunResultFile;
import siemload.results.Saturation;
import siemload.results.Validity;
import siemload.results.report.RunReports.JunitReport;
import siemload.results.report.RunReports.MarkdownSummary;

/** What reports say of a run whose database did not keep up. */
class SaturatedReportTest {
    private static final Path EXAMPLE = Path.of("src/test/resources/golden/run.json");
    private static final Saturation SATURATION = new Saturation(
            List.of("the CPUs (the database took 95 % of them)"), List.of("3 of 9 searches timed out"), "fewer users");

    @Test
    void theTerminalSaysFirstWhatGaveOutThenHowThatShowedThenWhatToChange() throws IOException {
        assertThat(TextReport.of(run(List.of())))
                .contains("SATURATED: the CPUs (the database took 95 % of them) gave out\n"
                        + "  seen: 3 of 9 searches timed out\n"
                        + "  what to change first: fewer users\n")
                .contains("\nvalid: ")
                .doesNotContain("NOT VALID");
    }

    @Test
    void theSummaryOfAJobSaysSo() throws IOException {
        assertThat(MarkdownSummary.of(run(List.of())))
                .startsWith("## siemload: hawat is valid, SATURATED\n")
                .contains("- **saturated**: the CPUs (the database took 95 % of them) gave out\n")
                .contains("- seen: 3 of 9 searches timed out\n- what to change first: fewer users\n");
        assertThat(MarkdownSummary.of(run(List.of("this machine swapped"))))
                .startsWith("## siemload: hawat is NOT VALID, SATURATED\n")
                .contains("- **not valid**: this machine swapped\n");
    }

    @Test
    void forACiServerTheRunIsValidAndTheDatabaseFailed() throws IOException {
        assertThat(JunitReport.of(run(List.of())))
                .contains("failures=\"1\"")
                .contains("SATURATED")
                .contains("what to change first: fewer users")
                .doesNotContain("NOT VALID");
        assertThat(JunitReport.of(run(List.of("this machine swapped")))).contains("failures=\"2\"");
    }

    private static RunResult run(List<String> faults) throws IOException {
        return run(Validity.of(faults, Disturbance.NONE, SATURATION, List.of()));
    }

    private static RunResult run(Validity validity) throws IOException {
        RunResult run = RunResultFile.read(EXAMPLE);
        return new RunResult(
                run.formatVersion(),
                run.identity(),
                run.measured(),
                run.environment(),
                run.plans(),
                run.steps(),
                run.inFlightAtEnd(),
                run.answers(),
                run.objectives().subList(0, 1),
                validity);
    }
}
