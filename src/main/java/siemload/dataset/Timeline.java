package siemload.dataset;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import siemload.dataset.SeededRandom.Stream;

/**
 * When each event was detected: event i of n stands somewhere in the i-th of n equal parts of the day curve's area, so
 * times ascend with i and follow the curve. Times are whole seconds, except in some seconds, where all have
 * milliseconds; deciding that by the second keeps the order. Immutable and thread-safe.
 */
final class Timeline {
    private static final int HOUR_MILLIS = 3_600_000;
    /** Each event's part is cut into this many places, of which it gets one. */
    private static final int PLACES = 1_024;

    private final long startMillis;
    private final long placeSeed;
    private final long fractionSeed;
    /** In which share of all seconds times have milliseconds. */
    private final double fractionRatio;
    /** Hour h holds the places from {@code bounds[h]} up to but without {@code bounds[h + 1]}. */
    private final long[] bounds;

    Timeline(DatasetSpec spec) {
        startMillis = spec.start().toEpochMilli();
        placeSeed = Stream.PLACE.seed(spec.seed());
        fractionSeed = Stream.FRACTION.seed(spec.seed());
        fractionRatio = spec.profile().times().fractionRatio();
        bounds = bounds(spec);
    }

    Instant time(long index) {
        long place = index * PLACES + (SeededRandom.mix(placeSeed, index) & (PLACES - 1));
        int found = Arrays.binarySearch(bounds, place);
        int hour = found >= 0 ? found : -found - 2;
        while (bounds[hour + 1] == bounds[hour]) { // Hours of weight 0 share their bound with the next hour.
            hour++;
        }
        long width = bounds[hour + 1] - bounds[hour];
        long millis = startMillis + hour * (long) HOUR_MILLIS + (place - bounds[hour]) * HOUR_MILLIS / width;
        long second = Math.floorDiv(millis, 1_000);
        boolean hasFractions =
                fractionRatio > 0 && SeededRandom.of(fractionSeed, second).nextDouble() < fractionRatio;
        return hasFractions ? Instant.ofEpochMilli(millis) : Instant.ofEpochSecond(second);
    }

    /** Whether there is a time at which events can be. */
    static boolean hasBusyHour(Instant start, Duration span, EventProfile profile) {
        return Arrays.stream(sums(start, span, profile)).anyMatch(sum -> sum > 0);
    }

    /** The weights of all hours before each hour. */
    private static long[] sums(Instant start, Duration span, EventProfile profile) {
        int firstHour = start.atOffset(ZoneOffset.UTC).getHour();
        long[] sums = new long[Math.toIntExact(span.toHours()) + 1];
        for (int hour = 1; hour < sums.length; hour++) {
            sums[hour] = sums[hour - 1] + profile.dayCurve().get((firstHour + hour - 1) % 24);
        }
        return sums;
    }

    private static long[] bounds(DatasetSpec spec) {
        long[] sums = sums(spec.start(), spec.span(), spec.profile());
        BigInteger places = BigInteger.valueOf(spec.events()).multiply(BigInteger.valueOf(PLACES));
        BigInteger area = BigInteger.valueOf(sums[sums.length - 1]);
        return Arrays.stream(sums)
                .map(sum ->
                        BigInteger.valueOf(sum).multiply(places).divide(area).longValueExact())
                .toArray();
    }
}
