package siemload.dataset.learn;

import java.time.Duration;
import java.util.List;
import siemload.dataset.EventProfile.Details;
import siemload.dataset.EventProfile.Times;
import siemload.dataset.statistics.Estimate;

/** Times and details of a profile from what was measured. Stateless. */
final class DetailEstimate {
    private static final double LONGEST_SECONDS = Duration.ofDays(30).toSeconds();
    private static final double MOST_SENTENCES = 100;
    private static final double LARGEST_COUNT = 0x1p40;
    private static final double UNLIKELY = 0.05;

    private DetailEstimate() {}

    static Times times(TimeMeasure measured, Parameters parameters) {
        SampledCounts seconds = measured.seconds();
        return new Times(
                parameters.note("times.fractionRatio", Estimate.share(seconds.occurring(), seconds.distinct())),
                twiceTheMean("times.longestEvent", measured.lasted(), parameters),
                twiceTheMean("times.longestDelay", measured.delay(), parameters),
                parameters.note("times.eventTimeRatio", Estimate.share(measured.eventTimes(), measured.events())),
                parameters.note("times.windowRatio", Estimate.share(measured.windows(), measured.events())),
                window(measured, parameters));
    }

    /** All spans up to the longest are alike, so that it is twice the mean; the largest one would be that of a wrong clock. */
    private static Duration twiceTheMean(String path, SizeHistogram spans, Parameters parameters) {
        Estimate longest = spans.mean().times(2).within(0, LONGEST_SECONDS).rounded();
        return Duration.ofSeconds(parameters.noteWhole(path, longest));
    }

    /** The length that most have; otherwise the median, to a cell of the histogram. */
    private static Duration window(TimeMeasure measured, Parameters parameters) {
        double median = Math.min(LONGEST_SECONDS, (double) measured.window().quantile(0.5));
        double most = median + Math.ceil(median / 32);
        Estimate window = measured.usualWindow()
                .filter(usual -> median <= usual && usual <= most)
                .map(usual -> Estimate.exact(usual))
                .orElse(new Estimate(median, median, most));
        return Duration.ofSeconds(parameters.noteWhole("times.window", window));
    }

    static Details details(StreamMeasure measure, Pseudonyms names, Parameters parameters) {
        DetailMeasure measured = measure.details();
        long events = measure.events();
        Estimate sentences = measured.sentences().mean();
        double longestNote = parameters.note(
                "details.longestNote",
                new Estimate(2 * sentences.value() - 1, 2 * sentences.low() - 1, 2 * sentences.high() - 1)
                        .within(1, MOST_SENTENCES)
                        .rounded());
        double sentence = measured.notes().mean().value() / Math.max(1, sentences.value());
        return new Details(
                parameters.note("details.flowCountRatio", Estimate.share(measured.flowCounts(), events)),
                parameters.note("details.connectionCountRatio", Estimate.share(measured.connectionCounts(), events)),
                largestCount(measured.counts(), parameters),
                parameters.note(
                        "details.noteRatio", Estimate.share(measured.notes().count(), events)),
                (int) Math.round(longestNote),
                measured.notes().count() == 0 ? List.of("-") : names.sentences(sentence),
                parameters.note("details.storageRatio", Estimate.share(measured.storageTimes(), events)));
    }

    /**
     * The largest one that occurred. A profile draws the counts of one of its orders of magnitude from all up to the largest
     * alike, so that the true one is seldom far above: {@code P(max < x) = (x / largest) ^ n}.
     */
    private static long largestCount(SizeHistogram counts, Parameters parameters) {
        double largest = Math.max(1, Math.min(LARGEST_COUNT, (double) counts.largest()));
        double magnitudes = 64 - Long.numberOfLeadingZeros((long) largest);
        double ofTheLargest = Math.max(1, counts.count() / magnitudes);
        double high = Math.ceil(largest * Math.pow(UNLIKELY, -1 / ofTheLargest));
        return parameters.noteWhole("details.largestCount", new Estimate(largest, largest, high));
    }
}
