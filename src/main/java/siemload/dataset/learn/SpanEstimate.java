package siemload.dataset.learn;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import siemload.dataset.statistics.Estimate;

/**
 * Over which hours the events lie, and how busy each hour of the day is. A few events far from all others, which a wrong
 * clock makes, are left out.
 *
 * @param start the beginning of the first hour
 * @param span whole hours
 * @param dayCurve the weight of each hour of the day, 1,000 on average
 * @param outside how many events were left out
 */
record SpanEstimate(Instant start, Duration span, List<Integer> dayCurve, long outside) {
    private static final int HOUR_SECONDS = 3_600;
    private static final int LONGEST_HOURS = 3_660 * 24;
    private static final int FAR_HOURS = 24;
    private static final double FEW = 0.001;
    private static final double HALF = 0.5;
    private static final int MEAN_WEIGHT = 1_000;

    SpanEstimate {
        dayCurve = List.copyOf(dayCurve);
    }

    static SpanEstimate of(TimeMeasure times, Parameters parameters) {
        List<Map.Entry<Long, long[]>> hours = whole(times);
        long first = hour(hours, 0);
        long last = hour(hours, hours.size() - 1);
        return new SpanEstimate(
                Instant.ofEpochSecond(first * HOUR_SECONDS),
                Duration.ofHours(last - first + 1),
                dayCurve(hours, times, parameters),
                times.events() - sum(near(times)));
    }

    /** The hours of the span, but not a first or last one of which less than half was watched. */
    static List<Map.Entry<Long, long[]>> whole(TimeMeasure times) {
        List<Map.Entry<Long, long[]>> hours = near(times);
        int from = hours.size() > 1 && watched(hour(hours, 0), times) < HALF ? 1 : 0;
        int to = hours.size() - 1;
        to -= from < to && watched(hour(hours, to), times) < HALF ? 1 : 0;
        return hours.subList(from, to + 1);
    }

    /** The hours with events, without few events at the ends that are a day or more away. */
    private static List<Map.Entry<Long, long[]>> near(TimeMeasure times) {
        List<Map.Entry<Long, long[]>> hours = new ArrayList<>(times.hours().entrySet());
        long few = (long) (times.events() * FEW);
        int from = 0;
        int to = hours.size() - 1;
        long before = 0;
        for (int i = 0; i < to && before + count(hours, i) <= few; i++) {
            before += count(hours, i);
            from = hour(hours, i + 1) - hour(hours, i) > FAR_HOURS ? i + 1 : from;
        }
        long after = 0;
        for (int i = to; i > from && after + count(hours, i) <= few; i--) {
            after += count(hours, i);
            to = hour(hours, i) - hour(hours, i - 1) > FAR_HOURS ? i - 1 : to;
        }
        to = hour(hours, to) - hour(hours, from) < LONGEST_HOURS ? to : lastWithin(hours, from);
        return hours.subList(from, to + 1);
    }

    private static long sum(List<Map.Entry<Long, long[]>> hours) {
        return hours.stream().mapToLong(hour -> hour.getValue()[0]).sum();
    }

    private static int lastWithin(List<Map.Entry<Long, long[]>> hours, int from) {
        int last = from;
        while (hour(hours, last + 1) - hour(hours, from) < LONGEST_HOURS) {
            last++;
        }
        return last;
    }

    /** Events of each hour of the day against how long it was watched; the first and last hour may have been cut. */
    private static List<Integer> dayCurve(
            List<Map.Entry<Long, long[]>> hours, TimeMeasure times, Parameters parameters) {
        long inside = sum(hours);
        long[] events = new long[24];
        double[] watched = new double[24];
        long first = hour(hours, 0);
        long last = hour(hours, hours.size() - 1);
        for (Map.Entry<Long, long[]> hour : hours) {
            events[Math.floorMod(hour.getKey(), 24)] += hour.getValue()[0];
        }
        for (long hour = first; hour <= last; hour++) {
            watched[Math.floorMod(hour, 24)] += watched(hour, times);
        }
        double rates = 0;
        int known = 0;
        for (int hour = 0; hour < 24; hour++) {
            rates += watched[hour] > 0 ? events[hour] / watched[hour] : 0;
            known += watched[hour] > 0 ? 1 : 0;
        }
        List<Integer> curve = new ArrayList<>();
        for (int hour = 0; hour < 24; hour++) {
            if (watched[hour] == 0) {
                curve.add(MEAN_WEIGHT);
            } else {
                double scale = MEAN_WEIGHT * known / rates * inside / watched[hour];
                Estimate weight = Estimate.share(events[hour], inside).times(scale);
                curve.add((int) parameters.noteWhole("dayCurve[" + hour + "]", weight));
            }
        }
        return curve;
    }

    /** The part of an hour between the first and the last event; 1 for those between. */
    static double watched(long hour, TimeMeasure times) {
        double from = Math.max(hour * HOUR_SECONDS, times.first());
        double to = Math.min((hour + 1) * HOUR_SECONDS, times.last() + 1);
        boolean cut = to - from < HOUR_SECONDS - 60.0 && to > from;
        return cut ? (to - from) / HOUR_SECONDS : 1;
    }

    private static long hour(List<Map.Entry<Long, long[]>> hours, int index) {
        return hours.get(index).getKey();
    }

    private static long count(List<Map.Entry<Long, long[]>> hours, int index) {
        return hours.get(index).getValue()[0];
    }
}
