package siemload.scenario.rate;

import java.util.List;

/**
 * A rate made of straight lines, one after the other: ramps, steps and days. The last one's end is held for ever, or all
 * of them come again and again; likewise before the start. Immutable.
 */
final class SegmentRate implements Rate {
    private final List<Segment> segments;
    private final After after;
    private final String text;
    /** When each segment starts, and when the last one ends, in seconds. */
    private final double[] seconds;
    /** How many things are due by each of these times. */
    private final double[] due;

    /** What the rate is after the last segment. */
    enum After {
        HELD,
        REPEATED
    }

    /**
     * A straight line.
     *
     * @param from things a second at its start, 0 or more
     * @param to things a second at its end, 0 or more
     * @param seconds how long it takes, above 0
     */
    record Segment(double from, double to, double seconds) {
        /** How many things are due this long after its start. */
        private double dueUntil(double at) {
            return from * at + (to - from) * at * at / (2 * seconds);
        }

        /** The first instant after its start by which this many things are due; they are, within it. */
        private double secondsOf(double count) {
            if (count <= 0) {
                return 0;
            }
            double slope = (to - from) / seconds;
            double root = Math.sqrt(Math.max(0, from * from + 2 * slope * count));
            return Math.min(seconds, 2 * count / (from + root));
        }
    }

    /**
     * @param segments at least one, and where they are repeated, one of them above 0
     * @param text how the rate is written
     */
    SegmentRate(List<Segment> segments, After after, String text) {
        this.segments = List.copyOf(segments);
        this.after = after;
        this.text = text;
        seconds = new double[segments.size() + 1];
        due = new double[segments.size() + 1];
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            seconds[i + 1] = seconds[i] + segment.seconds();
            due[i + 1] = due[i] + (segment.from() + segment.to()) / 2 * segment.seconds();
        }
    }

    @Override
    public double dueUntil(double at) {
        double round = after == After.REPEATED ? Math.floor(at / length()) : 0;
        double inRound = at - round * length();
        return round * total() + dueInRound(inRound);
    }

    private double dueInRound(double at) {
        if (at < 0) {
            return at * segments.get(0).from();
        }
        if (at >= length()) {
            return total() + (at - length()) * last().to();
        }
        int segment = 0;
        while (segment < segments.size() - 1 && seconds[segment + 1] <= at) {
            segment++;
        }
        return due[segment] + segments.get(segment).dueUntil(at - seconds[segment]);
    }

    @Override
    public double secondsOf(double count) {
        // The first instant by which all of a round are due is in that round, not at the start of the next one.
        double round = after == After.REPEATED && count != 0 ? Math.ceil(count / total()) - 1 : 0;
        return round * length() + secondsInRound(count - round * total());
    }

    private double secondsInRound(double count) {
        if (count < 0) {
            return new ConstantRate(segments.get(0).from()).secondsOf(count);
        }
        if (count > total()) {
            return length() + new ConstantRate(last().to()).secondsOf(count - total());
        }
        int segment = 0;
        while (due[segment + 1] < count) {
            segment++;
        }
        return seconds[segment] + segments.get(segment).secondsOf(count - due[segment]);
    }

    private double length() {
        return seconds[segments.size()];
    }

    private double total() {
        return due[segments.size()];
    }

    private Segment last() {
        return segments.get(segments.size() - 1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SegmentRate rate && rate.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
