package siemload.measure;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import siemload.query.SearchName;
import siemload.results.Asked;
import siemload.results.FollowUpTimes;
import siemload.results.Outcome;

/**
 * Keeps the response times of searches that were asked first apart from those that followed one before them. What it gives is
 * of the measured phase. Thread-safe.
 */
final class FollowUpRecorder {
    private final ByPhase<SearchName, Times> bySearch = new ByPhase<>(Times::new);

    private record Times(MicrosHistogram first, MicrosHistogram followUp) {
        Times() {
            this(new MicrosHistogram(), new MicrosHistogram());
        }

        MicrosHistogram of(Asked asked) {
            return asked == Asked.FIRST ? first : followUp;
        }
    }

    /** Takes an answered search, or one that was given up; another page of the same search is neither first nor follow-up. */
    void record(boolean measured, SearchName search, Asked asked, Sample sample) {
        if (asked != Asked.SAME
                && (sample.outcome() == Outcome.OK || sample.outcome().gaveUp())) {
            bySearch.of(measured, search).of(asked).recordNanos(sample.responseNanos());
        }
    }

    /** What was taken since the last call; for one reader only. */
    List<RecordedSearches.OfFollowUps> take() {
        return bySearch.measured().entrySet().stream()
                .map(entry -> new RecordedSearches.OfFollowUps(
                        entry.getKey(),
                        entry.getValue().first().takeInterval(),
                        entry.getValue().followUp().takeInterval()))
                .toList();
    }

    /** Adds what another one has taken. */
    void add(RecordedSearches.OfFollowUps more) {
        Times times = bySearch.of(true, more.search());
        times.first().add(more.first());
        times.followUp().add(more.followUp());
    }

    /** Of each search that followed another one at least once, in the order of the catalogue. */
    List<FollowUpTimes> results() {
        return bySearch.measured().entrySet().stream()
                .filter(entry -> entry.getValue().followUp().count() > 0)
                .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                .map(entry -> new FollowUpTimes(
                        entry.getKey().name(),
                        entry.getValue().first().count(),
                        entry.getValue().first().summary(),
                        entry.getValue().followUp().count(),
                        entry.getValue().followUp().summary()))
                .toList();
    }
}
