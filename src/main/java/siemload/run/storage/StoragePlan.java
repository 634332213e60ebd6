package siemload.run.storage;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import siemload.config.Durations;
import siemload.measure.storage.MatrixPoint;

/**
 * What is to be measured. Immutable.
 *
 * @param directory on the disk that is measured
 * @param results the directory of results, absolute
 * @param cache the directory of what is kept between runs, absolute: the feeder's database lies there
 * @param fileBytes the size of the file
 * @param duration of each point, in whole seconds
 * @param writePercent how many of a hundred operations write
 * @param eventsPerSecond what a feeder inserts beside the second series; 0 where there is none
 */
public record StoragePlan(
        Path directory,
        Path results,
        Path cache,
        long fileBytes,
        Duration duration,
        int writePercent,
        double eventsPerSecond,
        List<MatrixPoint> points) {
    /** Rows, indexes and log of an event, generously. */
    private static final long BYTES_OF_EVENT = 8 << 10;
    /** Starting fio and reading what it says, beside each point. */
    private static final double SECONDS_BETWEEN = 0.7;

    public StoragePlan {
        points = List.copyOf(points);
    }

    boolean hasFeeder() {
        return eventsPerSecond > 0;
    }

    private double secondsOfSeries() {
        return points.size() * (duration.toSeconds() + SECONDS_BETWEEN);
    }

    /** How long the feeder goes on unless it is told to end: twice as long as should be needed, since fio may be slow to end. */
    Duration patienceOfFeeder() {
        return Duration.ofSeconds((long) (2 * secondsOfSeries()) + 60);
    }

    /** How much the feeder may write. */
    long bytesOfEvents() {
        return (long) (eventsPerSecond * secondsOfSeries() * BYTES_OF_EVENT);
    }

    /** What will be done, and for how long. */
    String describe() {
        double seconds = secondsOfSeries() * (hasFeeder() ? 2 : 1);
        return String.format(
                Locale.ROOT,
                "%d points of %s each%s, through a file of %,d MB: about %s",
                points.size(),
                Durations.format(duration),
                hasFeeder()
                        ? String.format(Locale.ROOT, ", idle and once more beside %s events/s", rate(eventsPerSecond))
                        : "",
                fileBytes >> 20,
                Durations.format(Duration.ofSeconds(Math.round(seconds))));
    }

    /** Without a fraction where there is none. */
    static String rate(double eventsPerSecond) {
        return eventsPerSecond == Math.rint(eventsPerSecond)
                ? Long.toString((long) eventsPerSecond)
                : Double.toString(eventsPerSecond);
    }
}
