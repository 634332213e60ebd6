package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.LoggedJob;
import siemload.results.LoggedJob.JobItem;
import siemload.results.LoggedJob.JobItem.Slot;
import siemload.results.RunFile;
import siemload.results.RunWriter;
import siemload.results.StepRecord;
import siemload.results.TableWriter;

/** Two at once on each of two servers, 10 s each. */
class JobReviewTest {
    @TempDir
    private Path directory;

    @Test
    void theMachineOfItsSecondsIsAddedToTheStepOfAJob() throws Exception {
        write(items(20, 10));

        StepRecord step =
                JobReview.of(directory, List.of(step(Map.of())), 4).steps().get(0);

        assertThat(step.figures())
                .containsEntry("seconds", 50.0)
                .containsEntry("databaseCpuRatio", 0.5)
                .containsEntry("databaseCpuSeconds", 100.0)
                .containsEntry("databaseCpuSecondsPerServer", 50.0);
    }

    @Test
    void oneItemTooManyAtWorkOnOneServerMakesTheRunNotValid() throws Exception {
        List<JobItem> items = items(20, 10);
        JobItem fifth = items.get(4);
        items.set(4, new JobItem(fifth.number(), new Slot(1, 3), 0, 5_000_000, 20_000_000, 1, 0));
        write(items);

        assertThat(JobReview.of(directory, List.of(step(Map.of())), 4).warnings())
                .containsExactly("job of 20 items (number 1): 3 items were at work at once on server 1 (allowed: 2)");
    }

    @Test
    void itemsThatAreMissingOrFailedMakeTheRunNotValid() throws Exception {
        List<JobItem> items = items(20, 10);
        JobItem last = items.remove(19);
        JobItem failed = items.remove(18);
        items.add(
                new JobItem(failed.number(), failed.slot(), 0, failed.startedMicros(), failed.finishedMicros(), 3, 2));
        write(items);

        assertThat(JobReview.of(directory, List.of(step(Map.of("firstFailure", "too slow"))), 4)
                        .warnings())
                .as("without %s", last)
                .containsExactly(
                        "job of 20 items (number 1): 19 of its items were logged",
                        "job of 20 items (number 1): 1 items failed, with 2 of their searches (the first one: too slow)");
    }

    @Test
    void whereLittlesLawDoesNotHoldANoteSaysSo() throws Exception {
        // Between two items of a session nothing happens for a second.
        write(items(20, 11).stream()
                .map(item -> new JobItem(
                        item.number(), item.slot(), 0, item.startedMicros(), item.finishedMicros() - 1_000_000, 1, 0))
                .toList());

        assertThat(JobReview.of(directory, List.of(step(Map.of())), 4).notes())
                .containsExactly(
                        "job of 20 items (number 1): Little's law does not hold within 2 % in its steady part of"
                                + " 44.0 s: 21.8 items a minute ended, but 4 at once that take 10000.0 ms each make 24.0 (factor"
                                + " 0.909)");
    }

    @Test
    void aJobOfWhichNoItemWasLoggedMakesTheRunNotValidUnlessItWasInterrupted() {
        StepRecord interrupted = step(Map.of("interrupted", "after 0 of 20 items"));

        assertThat(JobReview.of(directory, List.of(step(Map.of())), 4).warnings())
                .containsExactly("job of 20 items (number 1): none of its items was logged");
        assertThat(JobReview.of(directory, List.of(interrupted), 4))
                .isEqualTo(new JobReview(List.of(interrupted), List.of(), List.of()));
    }

    @Test
    void aBrokenLogMakesTheRunNotValid() throws Exception {
        write(items(20, 10));
        Files.writeString(RunFile.ITEMS.in(directory), "second,job\n");

        assertThat(JobReview.of(directory, List.of(step(Map.of())), 4).warnings())
                .singleElement()
                .asString()
                .startsWith("the jobs cannot be held against their files: items.csv:1: the header is 'second,job'");
    }

    /** Four sessions begin at once, and take as long for each item. */
    private static List<JobItem> items(int count, int seconds) {
        List<JobItem> items = new ArrayList<>();
        for (int item = 0; item < count; item++) {
            long start = item / 4 * seconds * 1_000_000L;
            items.add(new JobItem(
                    item + 1, new Slot(1 + item % 2, 1 + item / 2 % 2), 0, start, start + seconds * 1_000_000L, 1, 0));
        }
        return items;
    }

    private static StepRecord step(Map<String, String> more) {
        Map<String, String> facts = new TreeMap<>(more);
        facts.putAll(Map.of("job", "1", "level", "20", "inFlight", "2", "servers", "2"));
        return new StepRecord("job of 20 items", facts, Map.of("seconds", 50.0));
    }

    private void write(List<JobItem> items) throws Exception {
        RunWriter writer = RunWriter.to(directory);
        try (TableWriter table = writer.table(RunFile.ITEMS);
                TableWriter host = writer.table(RunFile.HOST)) {
            for (JobItem item : items) {
                LoggedJob.write(table, item.finishedMicros() / 1e6, 1, 20, item);
            }
            for (int second = 1; second <= 60; second++) {
                host.row(
                        second,
                        "this host",
                        0.0,
                        0.0,
                        0.0,
                        0.0,
                        1.0,
                        1.0,
                        1.0,
                        1L,
                        0L,
                        0L,
                        0L,
                        0L,
                        0L,
                        0.5,
                        0.1,
                        0.0,
                        0.0,
                        0L,
                        0.0,
                        0.0,
                        0.0);
            }
        }
    }
}
