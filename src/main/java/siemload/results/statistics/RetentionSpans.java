package siemload.results.statistics;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import siemload.results.LoggedInterval;
import siemload.results.LoggedInterval.LatencyLogReader;
import siemload.results.MicrosSummary;
import siemload.results.RetentionResult.RetentionSpan;
import siemload.results.TimeMetric;

/**
 * The seconds of a run around something that took some time: the ten before it, those that it reached into, and the ten after it,
 * as far as the measured phase has them. What ends in a second counts to it, so that whoever waited for the end is found in the
 * second of the end. Used by one thread.
 */
public final class RetentionSpans {
    private static final int SECONDS_AROUND = 10;
    private static final int DIGITS = 3;

    /** The numbers of the seconds, from 0; the last one is included. */
    private final int firstDuring;

    private final int lastDuring;
    private final List<Span> spans = List.of(new Span("before"), new Span("during"), new Span("after"));
    private int lastSecond;

    private RetentionSpans(double fromSecond, double untilSecond) {
        firstDuring = (int) fromSecond;
        lastDuring = Math.max(firstDuring, (int) Math.ceil(untilSecond) - 1);
    }

    /** What ended in some of the seconds. */
    private record Span(String name, Histogram searches, Histogram feeder) {
        Span(String name) {
            this(name, new Histogram(DIGITS), new Histogram(DIGITS));
        }
    }

    /**
     * Reads the logs of a run.
     *
     * @param fromSecond when it began, from the start of the measured phase
     * @param untilSecond when it ended
     * @return none if a log cannot be read
     */
    public static List<RetentionSpan> read(Path directory, double fromSecond, double untilSecond) {
        RetentionSpans read = new RetentionSpans(fromSecond, untilSecond);
        try {
            LatencyLogReader.read(directory, TimeMetric.RESPONSE_TIME, read::addSearches);
            LatencyLogReader.read(directory, TimeMetric.FEEDER_LATENESS, read::addFeeder);
        } catch (IOException unreadable) {
            return List.of();
        }
        return read.results();
    }

    private void addSearches(LoggedInterval interval) {
        spanOf(interval).forEach(span -> span.searches().add(interval.times()));
    }

    private void addFeeder(LoggedInterval interval) {
        spanOf(interval).forEach(span -> span.feeder().add(interval.times()));
    }

    /** None for what is further away. */
    private List<Span> spanOf(LoggedInterval interval) {
        int second = (int) Math.max(0, Math.round(interval.endSecond()) - 1);
        lastSecond = Math.max(lastSecond, second);
        if (second < firstDuring - SECONDS_AROUND || second > lastDuring + SECONDS_AROUND) {
            return List.of();
        } else if (second < firstDuring) {
            return List.of(spans.get(0));
        }
        return List.of(spans.get(second <= lastDuring ? 1 : 2));
    }

    private List<RetentionSpan> results() {
        int[] seconds = {
            Math.min(SECONDS_AROUND, firstDuring),
            lastDuring - firstDuring + 1,
            Math.max(0, Math.min(SECONDS_AROUND, lastSecond - lastDuring))
        };
        List<RetentionSpan> results = new ArrayList<>();
        for (int i = 0; i < seconds.length; i++) {
            Span span = spans.get(i);
            results.add(new RetentionSpan(
                    span.name(),
                    seconds[i],
                    span.searches().getTotalCount(),
                    MicrosSummary.of(span.searches()),
                    MicrosSummary.of(span.feeder())));
        }
        return results;
    }
}
