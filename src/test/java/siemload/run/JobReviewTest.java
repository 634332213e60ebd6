package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.RunFile;
import siemload.results.RunWriter;
import siemload.results.RunWriter.TableWriter;
import siemload.results.StepRecord;
import siemload.run.ProcedureRun.JobReview;

/** Two at once on each of two servers, 10 s each. */
class JobReviewTest {
    private final Findings found = new Findings();

    @TempDir
    private Path directory;

    @Test
    void theMachineOfItsSecondsIsAddedToTheStepOfAJob() throws Exception {
        writeHost();

        assertThat(review().figures())
                .containsEntry("seconds", 50.0)
                .containsEntry("databaseCpuSeconds", 100.0)
                .containsEntry("databaseCpuSecondsPerServer", 50.0);
    }

    @Test
    void aBrokenTableOfTheMachineMakesTheRunNotValid() throws Exception {
        Files.writeString(RunFile.HOST.in(directory), "second,job\n");

        review();

        assertThat(found.faults())
                .singleElement()
                .asString()
                .startsWith("what the machine did during the jobs is unknown: host.csv:1: the header is 'second,job'");
    }

    private StepRecord review() {
        Map<String, String> facts = Map.of("job", "1", "level", "20", "inFlight", "2", "servers", "2");
        Map<String, Double> figures = Map.of("seconds", 50.0, "startSecond", 0.0);
        return JobReview.of(directory, List.of(new StepRecord("job of 20 items", facts, figures)), 4, found)
                .get(0);
    }

    private void writeHost() throws Exception {
        try (TableWriter host = RunWriter.to(directory).table(RunFile.HOST)) {
            for (int second = 1; second <= 60; second++) {
                host.row(second, "this host", 0.0, 0.0, 0.0, 0.0, 1.0, 1L, 0L, 0L, 0L, 0L, 0L, 0.5, 0.1, 0.0, 0.0, 0.0);
            }
        }
    }
}
