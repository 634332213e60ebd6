package siemload.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.results.StorageResult.Disk;
import siemload.results.StorageResult.Point;
import siemload.results.StorageResult.Series;

/** The points are made up so that the lines are those of the ArcSight study: idle, and beside 1,000 events a second. */
class StorageResultTest {
    private static final int SMALL = 32 << 10;
    private static final Series IDLE = new Series(
            0,
            0,
            List.of(
                    small(1, 69.2, 14_451),
                    small(4, 91.6, 43_700),
                    small(5, 91.9, 54_400),
                    large(1, 21.9),
                    large(2, 22.426)));
    private static final Series FED = new Series(
            1000, 999.96, List.of(small(1, 62.1, 16_090), small(5, 82.3, 60_750), large(1, 18.2), large(2, 19.59)));

    @Test
    void bothSeriesStandBelowEachOtherWithWhatWasMeasured() {
        assertThat(result(IDLE, FED).summary())
                .containsExactly(
                        "/dev/sda1, 500 GB (xfs)",
                        "",
                        "idle, small 32 KiB random, large 1 MiB sequential, 65 % writes:",
                        "Maximum Large MBPS=22.43 @ Small=0 and Large=2",
                        "Maximum Small IOPS=92 @ Small=5 and Large=0",
                        "Minimum Small Latency=14.451 @ Small=1 and Large=0",
                        "",
                        "beside 1000 events/s (1000.0 inserted), small 32 KiB random, large 1 MiB sequential, 65 % writes:",
                        "Maximum Large MBPS=19.59 @ Small=0 and Large=2",
                        "Maximum Small IOPS=82 @ Small=5 and Large=0",
                        "Minimum Small Latency=16.090 @ Small=1 and Large=0",
                        "",
                        "note: somebody was here");
    }

    private static StorageResult result(Series... series) {
        return new StorageResult(
                1,
                Instant.parse("2026-11-24T12:00:00Z"),
                "/srv/data",
                new Disk("/dev/sda1", "xfs", 500_000_000_000L),
                "fio-3.33",
                65,
                1L << 30,
                10,
                "fio",
                List.of(series),
                List.of("somebody was here"));
    }

    private static Point small(int depth, double rate, double latencyMicros) {
        return new Point(SMALL, depth, 0, rate, rate / 32, latencyMicros, "fio");
    }

    private static Point large(int depth, double rate) {
        return new Point(1 << 20, 0, depth, rate, rate, 1e6 * depth / rate, "fio");
    }
}
