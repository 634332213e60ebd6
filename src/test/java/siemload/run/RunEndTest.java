package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.results.RunResult;
import siemload.results.RunResult.Disturbance;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResultFile;
import siemload.results.Saturation;
import siemload.results.Validity;
import siemload.run.LoadOutcome.Ending;

/** With which exit code a run ends, and what the last line says. */
@Tag("any-java")
class RunEndTest {
    private static final ObjectiveResult MET = ObjectiveResult.decided("feeder achievedRatio >= 0.99", true, "1.0000");
    private static final ObjectiveResult MISSED =
            ObjectiveResult.decided("HAWAT1 responseTime p95 < 2s", false, "2.91s, 95 %: 2.40s to 3.35s");
    private static final ObjectiveResult UNDECIDED = new ObjectiveResult(
            "HAWAT1 responseTime p95 < 2s",
            true,
            ObjectiveResult.Outcome.UNDECIDED,
            "0.1s",
            "p95 takes 72 searches, 5 measured",
            67);

    private static final Validity VALID = validity(List.of(), Disturbance.NONE, Saturation.NONE);
    private static final Validity NOT_VALID =
            validity(List.of("this machine swapped"), Disturbance.NONE, Saturation.NONE);
    private static final Validity DISTURBED =
            validity(List.of(), new Disturbance(12, List.of("javac took CPU time")), Saturation.NONE);
    private static final Validity SATURATED =
            validity(List.of(), Disturbance.NONE, new Saturation(List.of("the disks"), List.of(), "faster disks"));

    @Test
    void aRunThatDidItsWorkEndsWith0WhateverItSaysOfItself() {
        for (Validity validity : List.of(VALID, NOT_VALID, DISTURBED, SATURATED)) {
            assertThat(end(run(validity, MET, UNDECIDED), "objective")).isEqualTo(new RunSetup.End(ExitCode.OK, ""));
        }
    }

    @Test
    void anObjectiveThatWasMissedForCertainIsNamedLast() {
        RunSetup.End expected = new RunSetup.End(
                ExitCode.MISSED, "HAWAT1 responseTime p95 < 2s was missed (measured 2.91s, 95 %: 2.40s to 3.35s)");

        assertThat(end(run(VALID, MET, MISSED), "objective")).isEqualTo(expected);
        assertThat(end(run(NOT_VALID, MET, MISSED), "verdict")).isEqualTo(expected);
        assertThat(end(run(VALID, MET, MISSED), "breakdown").code()).isEqualTo(ExitCode.OK);
    }

    @Test
    void byTheVerdictOnlyAClearSuccessEndsWith0() {
        assertThat(end(run(VALID, MET), "verdict").code()).isEqualTo(ExitCode.OK);
        assertThat(end(run(NOT_VALID, MET), "verdict"))
                .isEqualTo(new RunSetup.End(ExitCode.INCONCLUSIVE, "the run is not valid: this machine swapped"));
        assertThat(end(run(DISTURBED, MET), "verdict").code()).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(end(run(SATURATED, MET), "verdict").why()).isEqualTo("the disks gave out");
        assertThat(end(run(VALID, MET, UNDECIDED), "verdict").why())
                .isEqualTo("HAWAT1 responseTime p95 < 2s is undecided: p95 takes 72 searches, 5 measured");
    }

    @ParameterizedTest
    @CsvSource({
        "ABORTED, false, MISSED, MISSED",
        "LOST, false, INCONCLUSIVE, INCONCLUSIVE",
        "COMPLETE, true, TARGET_FAILED, TARGET_FAILED",
        "ABORTED, true, TARGET_FAILED, TARGET_FAILED",
        "INTERRUPTED, true, INTERRUPTED, INTERRUPTED",
        "RESTARTED, false, OK, TARGET_FAILED"
    })
    void whatDidNotComeToItsEndIsAnError(Ending ending, boolean gone, ExitCode breakdown, ExitCode other) {
        Ending all = ending.on(gone, false);
        assertThat(RunSetup.end(run(VALID, MET), all, "breakdown").code()).isEqualTo(breakdown);
        assertThat(RunSetup.end(run(VALID, MET), all, "objective").code()).isEqualTo(other);
        assertThat(RunSetup.end(run(NOT_VALID, MET), all, "verdict").code()).isEqualTo(other);
    }

    @Test
    void aRunWithoutAnAnswerSaysNothing() {
        RunResult.Measurement some = example().measured();
        RunResult.Measurement none =
                RunResult.Measurement.withoutLoad(some.generator(), some.database(), List.of(some.host()));

        assertThat(end(run(none, VALID, MET), "objective").code()).isEqualTo(ExitCode.INCONCLUSIVE);
    }

    private static RunResult example() {
        try {
            return RunResultFile.read(Path.of("src/test/resources/golden/run.json"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static RunSetup.End end(RunResult run, String failOn) {
        return RunSetup.end(run, Ending.COMPLETE, failOn);
    }

    private static Validity validity(List<String> faults, Disturbance disturbance, Saturation saturation) {
        return Validity.of(faults, disturbance, saturation, List.of());
    }

    private static RunResult run(Validity validity, ObjectiveResult... objectives) {
        return run(example().measured(), validity, objectives);
    }

    private static RunResult run(RunResult.Measurement measured, Validity validity, ObjectiveResult... objectives) {
        RunResult run = example();
        return new RunResult(
                run.formatVersion(),
                run.identity(),
                measured,
                run.environment(),
                run.plans(),
                List.of(),
                run.inFlightAtEnd(),
                run.answers(),
                List.of(objectives),
                validity);
    }
}
