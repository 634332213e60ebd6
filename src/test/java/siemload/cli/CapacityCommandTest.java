package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.compare.capacity.CapacityResult;
import siemload.compare.capacity.Finding;
import siemload.compare.capacity.Trial;
import siemload.config.ConfigException;
import siemload.run.ExitCode;
import siemload.run.RunGuard;

/** Whether runs of a busy machine are valid nobody knows: what follows from them is tested without runs. */
@Tag("any-java")
class CapacityCommandTest {
    @TempDir
    private Path directory;

    @Test
    @Tag("exhaustive")
    void aKilledSearchGoesOnAndEndsWithEachRunMadeOnce() throws Exception {
        String[] command = quick("--start", "50", "--runs", "4");
        ChildProcess killed = ChildProcess.siemload(directory, command);
        killed.awaitOutput("arrivals: run 2 of at most 4");
        killed.kill();

        ChildProcess.Ended ended = ChildProcess.siemload(directory, command).await();

        assertThat(ended.exitCode()).as(ended.output()).isIn(0, 1, 4);
        assertThat(ended.output())
                .contains("goes on after 1 runs", "the largest load that meets all responseTime p95 < 1s");
        Path capacity = onlyCapacity();
        List<Trial> trials =
                CapacityResult.FILE.read(capacity).capacities().get(0).trials();
        assertThat(trials).hasSizeBetween(2, 4).extracting(Trial::directory).doesNotHaveDuplicates();
        assertThat(trials.get(0).load()).isEqualTo(50);
        try (Stream<Path> runs = Files.list(capacity.resolve("runs"))) {
            assertThat(runs).hasSameSizeAs(trials);
        }
        assertThat(capacity.resolve("report.html")).content().contains("arrivals/s");
        assertThat(capacity.resolve("summary.md")).content().contains("| arrivals/s | p50, ms |");
    }

    /** Killed beside the second value: the runs beside the first one are not made again. */
    @Test
    @Tag("exhaustive")
    void aKilledFrontierGoesOnBesideTheValueAtWhichItWas() throws Exception {
        String[] command = quick(
                "--start",
                "20",
                "--least",
                "20",
                "--most",
                "20",
                "--runs",
                "2",
                "--precision",
                "50",
                "--against",
                "eventsPerSecond=50,0");
        ChildProcess killed = ChildProcess.siemload(directory, command);
        killed.awaitOutput("20 arrivals/s at 50 events/s");
        killed.kill();

        ChildProcess.Ended ended = ChildProcess.siemload(directory, command).await();

        assertThat(ended.exitCode()).as(ended.output()).isIn(0, 1, 4);
        assertThat(ended.output())
                .contains("eventsPerSecond: at 0, 50", "goes on after ")
                .containsPattern("events/s +arrivals/s +95 % interval +runs +not valid +gave out or was missed first");
        CapacityResult result = CapacityResult.FILE.read(onlyCapacity());
        assertThat(result.capacities())
                .extracting(capacity -> capacity.beside().get("eventsPerSecond"))
                .containsExactly(0.0, 50.0);
        List<Trial> trials = result.capacities().stream()
                .flatMap(capacity -> capacity.trials().stream())
                .toList();
        assertThat(trials).extracting(Trial::directory).doesNotHaveDuplicates();
        assertThat(trials)
                .as("each run was fed beside which it says it was")
                .allSatisfy(trial -> assertThat(trial.figures().eventsPerSecond())
                        .isEqualTo(
                                result.capacities().get(trial.search()).beside().get("eventsPerSecond")));
    }

    @Test
    void aPlanOfGivenValuesSaysHowManyRunsThereAreAtMost() throws Exception {
        ChildProcess.Ended ended = ChildProcess.siemload(
                        directory,
                        "capacity",
                        "--scenario",
                        "hawat",
                        "--against",
                        "eventsPerSecond=1000,0,500",
                        "--runs",
                        "12",
                        "--plan")
                .await();

        assertThat(ended.exitCode()).as(ended.output()).isZero();
        assertThat(ended.output())
                .contains(
                        "  users: from 200 analysts, between 1 and 100000\n  eventsPerSecond: at 0, 500, 1000\n",
                        "at most 36 runs in 3 searches, about 48 min at most");
    }

    @Test
    @Tag("exhaustive")
    void whatNoLoadMeetsEndsWithOneOrIsNotKnown() throws Exception {
        ChildProcess.Ended ended = ChildProcess.siemload(
                        directory,
                        quick(
                                "--start",
                                "5",
                                "--least",
                                "5",
                                "--most",
                                "5",
                                "--objective",
                                "all responseTime p50 < 1ms"))
                .await();

        CapacityResult result = CapacityResult.FILE.read(onlyCapacity());
        assertThat(result.question().objectives()).containsExactly("all responseTime p50 < 1ms");
        if (result.capacities().get(0).finding().kind() == Finding.Kind.LESS_THAN) {
            assertThat(ended.exitCode()).as(ended.output()).isEqualTo(1);
            assertThat(ended.output()).contains("none: not even 5 arrivals/s meets the objectives");
        } else {
            assertThat(ended.exitCode()).as(ended.output()).isEqualTo(4);
            assertThat(ended.output()).contains("not known: no run up to 5 arrivals/s met the objectives");
        }
    }

    @Test
    void aPlanSaysHowLongItTakesAtMost() throws Exception {
        ChildProcess.Ended ended = ChildProcess.siemload(
                        directory,
                        "capacity",
                        "--scenario",
                        "hawat",
                        "--vary",
                        "users,eventsPerSecond",
                        "--runs",
                        "12",
                        "--plan")
                .await();

        assertThat(ended.exitCode()).as(ended.output()).isZero();
        assertThat(ended.output()).isEqualTo("""
                hawat: 3 objectives: HAWAT1 responseTime p95 < 2s, all errorRatio <= 0.01, feeder achievedRatio >= 0.99
                  users: from 200 analysts, between 1 and 100000
                  eventsPerSecond: from 200 events/s, between 1 and 205000
                  until known within 10 %; at most 60 runs in 5 searches, about 80 min at most
                """);
    }

    @Test
    void whatVariesCannotBeSetByAnOption() {
        assertRefused(
                "--users: says how many analysts, which is what --vary users looks for (leave it out; --start says"
                        + " where to begin)",
                "--users",
                "5");
        assertRefused("--rate: says how many events/s, which is what", "--vary", "eventsPerSecond", "--rate", "5/s");
    }

    @Test
    void boundsThatContradictEachOtherAreRefused() {
        assertRefused(
                "--least: 10 cannot be a number of analysts here (allowed: whole numbers",
                "--least",
                "10",
                "--most",
                "5");
        assertRefused("--least: 2.5 cannot be a number of analysts here", "--least", "2.5");
        assertRefused("--runs: 1 is out of range (allowed: 2 to 1000)", "--runs", "1");
        assertRefused("--precision: 0.0 is out of range", "--precision", "0");
        assertRefused("--vary: 'user' is unknown (did you mean users?", "--vary", "user");
        assertRefused("--vary: 'users,users' cannot vary together", "--vary", "users,users");
    }

    @Test
    void valuesThatCannotBeGivenAreRefused() {
        assertRefused("--against: 'events' is unknown", "--against", "events=5");
        assertRefused("--against: says values of users beside --vary users", "--against", "users=5,6");
        assertRefused(
                "--against: says no values (allowed: eventsPerSecond=0,500,1000)", "--against", "eventsPerSecond");
        assertRefused("--against: '-5' is no number", "--against", "eventsPerSecond=5,-5");
        assertRefused("--against: '5,5' (allowed: different values, 20 at most)", "--against", "eventsPerSecond=5,5");
        assertRefused(
                "--against: 12345.5 cannot be a number of events/s (allowed: numbers of three digits, from 0 to 10000000)",
                "--against",
                "eventsPerSecond=12345.5");
        assertRefused("--points: says at how many values of a second load", "--points", "4");
        assertRefused(
                "--eps: says how many events/s, which --against says, too",
                "--eps",
                "100",
                "--against",
                "eventsPerSecond=0,100");
    }

    @Test
    void aScenarioWithoutWhatVariesIsRefused() throws Exception {
        assertRefused(
                "--start: is missing: the scenario has no arrivals/s that could be doubled", "--vary", "arrivals");

        ChildProcess.Ended procedure = ChildProcess.siemload(directory, "capacity", "--plan", "--scenario", "splunkit")
                .await();
        assertThat(procedure.output()).contains("splunkit is a procedure");
        assertThat(procedure.exitCode()).as(procedure.output()).isEqualTo(2);
    }

    /** By the plan, which needs no process of its own. */
    private static void assertRefused(String message, String... options) {
        List<String> command = new ArrayList<>(List.of("capacity"));
        command.addAll(List.of(options));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> Arguments.use(CapacityCommand.class, CapacityCommand::plan, command))
                .withMessageContaining(message)
                .satisfies(refusal ->
                        assertThat(RunGuard.report(new ProcessHost(), refusal)).isEqualTo(ExitCode.INVALID_INPUT));
    }

    /** Short runs on the scripted target. */
    private static String[] quick(String... more) {
        List<String> command = new ArrayList<>(List.of(
                "capacity",
                "--scenario",
                "arrivals",
                "--vary",
                "arrivals",
                "--target",
                "scripted",
                "--parameters",
                "workers=8,median=20ms",
                "--dataset",
                "src/test/resources/datasets/tiny.yaml",
                "--duration",
                "2s",
                "--warmup",
                "0s",
                "--settle",
                "false",
                "--checks",
                "0"));
        command.addAll(List.of(more));
        return command.toArray(String[]::new);
    }

    private Path onlyCapacity() throws IOException {
        try (Stream<Path> capacities = Files.list(directory.resolve("results").resolve("capacities"))) {
            return capacities
                    .reduce((one, other) -> {
                        throw new AssertionError("several: " + one + " and " + other);
                    })
                    .orElseThrow();
        }
    }
}
