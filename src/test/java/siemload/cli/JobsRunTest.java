package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.JobItem;
import siemload.results.RunFile;
import siemload.results.TableReader;
import siemload.results.statistics.JobCourse;

/** Jobs of many items, from the command line to the files of the run. */
@Tag("any-java")
class JobsRunTest {
    private static final String TINY = "src/test/resources/datasets/tiny.yaml";
    private static final int IN_FLIGHT = 3;

    @TempDir
    private Path directory;

    @Test
    void allItemsAreWorkedOnAndNeverMoreAtOnceThanAllowed() throws Exception {
        ChildProcess.Ended run = run("scripted", "--set", "procedure.levels=1,4,30", "--set", "procedure.servers=2");

        assertThat(run.exitCode()).as(run.output()).isIn(0, 4);
        Map<Integer, List<JobItem>> jobs = jobs();
        assertThat(jobs.values()).extracting(List::size).containsExactly(1, 4, 30);
        for (List<JobItem> job : jobs.values()) {
            assertThat(job).allSatisfy(item -> {
                assertThat(item.ok()).isEqualTo(8);
                assertThat(item.failed()).isZero();
            });
            Map<Integer, List<JobItem>> byServer = job.stream()
                    .collect(Collectors.groupingBy(item -> item.slot().server()));
            assertThat(byServer.values())
                    .allSatisfy(
                            items -> assertThat(JobCourse.of(items, IN_FLIGHT).mostInFlight())
                                    .isLessThanOrEqualTo(IN_FLIGHT));
        }
        List<JobItem> largest = jobs.getOrDefault(3, List.of());
        assertThat(JobCourse.of(largest, 2 * IN_FLIGHT).mostInFlight())
                .as("six answers of 5 ms or more at once")
                .isEqualTo(2 * IN_FLIGHT);
        assertThat(largest.stream().map(JobItem::slot).distinct()).hasSize(2 * IN_FLIGHT);
        assertThat(run.output()).containsPattern("\njob of 30 items +1 +0 ");
        assertThat(latestDirectory().resolve("summary.md")).content().contains("| job of 30 items | 1 |");
    }

    @Test
    void searchesThatFailAreCountedAndMakeTheirItemsFailed() throws Exception {
        ChildProcess.Ended run =
                run("scripted", "--set", "procedure.levels=1,12", "--timeout", "60ms", "--failOn", "breakdown");

        // Three of ten HAWAT1 take 120 ms.
        List<JobItem> job = jobs().getOrDefault(2, List.of());
        assertThat(job).hasSize(12).allMatch(item -> item.ok() + item.failed() == 8);
        assertThat(job).filteredOn(JobItem::hasFailed).isNotEmpty();
        assertThat(run.output())
                .containsPattern("NOT VALID: job of 12 items \\(number 2\\): \\d items failed, with \\d+ of"
                        + " their searches \\(the first one: ");
        assertThat(LatestRun.result(directory).steps().get(1).figures().get("failedItems"))
                .isEqualTo((double) job.stream().filter(JobItem::hasFailed).count());
    }

    @Test
    void anInterruptedJobLeavesWhatWasDone() throws Exception {
        ChildProcess run = ChildProcess.siemload(directory, command("scripted", "--set", "procedure.levels=100000"));
        run.awaitOutput("job 1 of 1");
        awaitFirstItem(run);

        ChildProcess.Ended ended = run.interrupt();

        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(130);
        assertThat(LatestRun.result(directory).identity().interrupted()).isTrue();
        assertThat(LatestRun.result(directory).steps())
                .singleElement()
                .satisfies(step -> assertThat(step.facts().get("interrupted")).matches("after \\d+ of 100000 items"));
        List<JobItem> items = jobs().getOrDefault(1, List.of());
        assertThat(items).isNotEmpty().allMatch(item -> item.ok() + item.failed() == 8);
        assertThat(items).filteredOn(JobItem::hasFailed).as("at work").hasSizeLessThanOrEqualTo(IN_FLIGHT);
        assertThat(LatestRun.result(directory).steps().get(0).facts())
                .containsEntry(
                        "interrupted",
                        "after "
                                + items.stream()
                                        .filter(item -> !item.hasFailed())
                                        .count() + " of 100000 items");
    }

    /** The file is made when the first item has ended. */
    private void awaitFirstItem(ChildProcess run) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        boolean there = false;
        while (!there) {
            assertThat(run.isStillRunningAfter(20) && System.nanoTime() - deadline < 0)
                    .as("an item has ended before the run and within two minutes")
                    .isTrue();
            try (Stream<Path> files = Files.walk(directory.resolve("results"))) {
                there = files.anyMatch(file -> file.endsWith("items.csv"));
            }
        }
    }

    private ChildProcess.Ended run(String target, String... options) throws Exception {
        return Siemload.run(directory, command(target, options));
    }

    private static String[] command(String target, String... options) {
        Stream<String> command = Stream.of(
                "run",
                "--target",
                target,
                "--scenario",
                "audit",
                "--dataset",
                TINY,
                "--set",
                "procedure.itemSearches=8");
        Stream<String> slots = Stream.of("--set", "procedure.inFlight=" + IN_FLIGHT);
        return Stream.of(command, slots, Stream.of(options))
                .flatMap(part -> part)
                .toArray(String[]::new);
    }

    /** What {@code items.csv} has, by the number of each job. */
    private Map<Integer, List<JobItem>> jobs() throws Exception {
        Map<Integer, List<JobItem>> jobs = new TreeMap<>();
        TableReader.read(
                latestDirectory(),
                RunFile.ITEMS,
                row -> jobs.computeIfAbsent((int) row.number("job"), unused -> new ArrayList<>())
                        .add(new JobItem(
                                (int) row.number("item"),
                                new JobItem.Slot((int) row.number("server"), (int) row.number("session")),
                                (long) row.number("queuedMicros"),
                                (long) row.number("startedMicros"),
                                (long) row.number("finishedMicros"),
                                (int) row.number("ok"),
                                (int) row.number("failed"))));
        return jobs;
    }

    private Path latestDirectory() throws Exception {
        return directory.resolve("results/latest").toRealPath();
    }
}
