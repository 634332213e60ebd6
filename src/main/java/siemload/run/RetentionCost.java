package siemload.run;

import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import siemload.database.DayRemoval;
import siemload.measure.RunClock;
import siemload.results.RetentionResult;
import siemload.results.statistics.RetentionSpans;
import siemload.run.answers.DroppedDay;

/** What the removal of a day cost users and feeder, from the logs of a run. Stateless. */
final class RetentionCost {

    private RetentionCost() {}

    /** One result, or none where no day was to be removed. */
    static List<RetentionResult> of(LoadOutcome measured, Path directory) {
        return measured.drop().stream()
                .map(drop -> of(drop, measured.end().clock(), directory))
                .toList();
    }

    private static RetentionResult of(DayDrop drop, RunClock clock, Path directory) {
        DroppedDay dropped = drop.dropped();
        double from = clock.second(dropped.startNanos());
        return new RetentionResult(
                LocalDate.ofInstant(dropped.day().from(), ZoneOffset.UTC).toString(),
                drop.removed()
                        .map(DayRemoval.Removed::means)
                        .map(means -> means.name().toLowerCase(Locale.ROOT))
                        .orElse(""),
                drop.failure(),
                Math.round(from * 1000) / 1000.0,
                drop.took().toNanos() / 1000,
                drop.removed().map(removed -> removed.waited().toNanos() / 1000).orElse(0L),
                drop.removed().isEmpty()
                        ? List.of()
                        : RetentionSpans.read(directory, from, clock.second(dropped.endNanos())));
    }
}
