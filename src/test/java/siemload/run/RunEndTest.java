package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.results.RunResult;
import siemload.results.RunResult.Disturbance;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.Validity;
import siemload.results.Validity.Saturation;
import siemload.run.LoadOutcome.Ending;

class RunEndTest {
    private static final ObjectiveResult MET = ObjectiveResult.decided("feeder achievedRatio >= 0.99", true, "1.0000");
    private static final ObjectiveResult MISSED =
            ObjectiveResult.decided("HAWAT1 responseTime p95 < 2s", false, "2.91s, 95 %: 2.40s to 3.35s");
    private static final ObjectiveResult UNDECIDED = new ObjectiveResult(
            "HAWAT1 responseTime p95 < 2s",
            true,
            ObjectiveResult.Outcome.UNDECIDED,
            "0.1s",
            "p95 needs 72 searches, 5 measured",
            67);

    private static final Map<String, Validity> VALIDITIES = Map.of(
            "valid", validity(List.of(), Disturbance.NONE, Saturation.NONE),
            "swapped", validity(List.of("this machine swapped"), Disturbance.NONE, Saturation.NONE),
            "disturbed", validity(List.of(), new Disturbance(12, List.of("javac took CPU time")), Saturation.NONE),
            "saturated",
                    validity(
                            List.of(),
                            Disturbance.NONE,
                            new Saturation(List.of("the disks"), List.of(), "faster disks")));
    private static final Map<String, ObjectiveResult> OBJECTIVES =
            Map.of("met", MET, "missed", MISSED, "undecided", UNDECIDED);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    objective|valid|met undecided|OK|''
                    objective|swapped|met undecided|OK|''
                    objective|disturbed|met undecided|OK|''
                    objective|saturated|met undecided|OK|''
                    objective|valid|met missed|MISSED|HAWAT1 responseTime p95 < 2s was missed (measured 2.91s, 95 %: 2.40s to 3.35s)
                    verdict|swapped|met missed|MISSED|HAWAT1 responseTime p95 < 2s was missed (measured 2.91s, 95 %: 2.40s to 3.35s)
                    breakdown|valid|met missed|OK|''
                    verdict|valid|met|OK|''
                    verdict|swapped|met|INCONCLUSIVE|the run is not valid: this machine swapped
                    verdict|disturbed|met|INCONCLUSIVE|the run is disturbed: javac took CPU time; the percentiles may be off by about 12 %
                    verdict|saturated|met|MISSED|bottleneck: the disks
                    verdict|valid|met undecided|INCONCLUSIVE|HAWAT1 responseTime p95 < 2s is undecided: p95 needs 72 searches, 5 measured
                    """)
    void aRunThatCameToItsEndEndsAsItsObjectivesAndFailOnSay(
            String failOn, String validity, String objectives, ExitCode code, String why) {
        ObjectiveResult[] results =
                Arrays.stream(objectives.split(" ")).map(OBJECTIVES::get).toArray(ObjectiveResult[]::new);
        RunResult run = run(example().measured(), validity, results);

        assertThat(ExitCode.of(run, Ending.COMPLETE, failOn)).isEqualTo(new ExitCode.End(code, why));
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
        RunResult run = run(example().measured(), "valid", MET);
        assertThat(ExitCode.of(run, all, "breakdown").code()).isEqualTo(breakdown);
        assertThat(ExitCode.of(run, all, "objective").code()).isEqualTo(other);
        assertThat(ExitCode.of(run, all, "verdict").code()).isEqualTo(other);
    }

    @Test
    void aRunWithoutAnAnswerSaysNothing() {
        RunResult.Measurement some = example().measured();
        RunResult.Measurement none =
                RunResult.Measurement.withoutLoad(some.generator(), some.database(), List.of(some.host()));

        assertThat(ExitCode.of(run(none, "valid", MET), Ending.COMPLETE, "objective")
                        .code())
                .isEqualTo(ExitCode.INCONCLUSIVE);
    }

    private static RunResult example() {
        try {
            return RunResult.read(Path.of("src/test/resources/golden/run.json"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Validity validity(List<String> faults, Disturbance disturbance, Saturation saturation) {
        return Validity.of(faults, disturbance, saturation, List.of());
    }

    private static RunResult run(RunResult.Measurement measured, String validity, ObjectiveResult... objectives) {
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
                VALIDITIES.get(validity));
    }
}
