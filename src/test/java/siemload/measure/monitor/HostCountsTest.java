package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import siemload.measure.monitor.HostCounts.CpuNanos;
import siemload.measure.monitor.HostCounts.DiskReading;
import siemload.results.HostActivity;
import siemload.results.HostActivity.Transfers;

/** One second on a machine with two CPUs, which is 2,000 ms of CPU time. */
class HostCountsTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;
    private static final Offset<Double> EXACT = within(1e-12);

    private final HostCounts from = new HostCounts(
            new CpuNanos(50_000 * MILLI, 20_000 * MILLI, 1_000 * MILLI, 100 * MILLI, 3_000 * MILLI, 5_000 * MILLI),
            HostCounts.Contention.NONE,
            new Transfers(100, 200, 1_000, 2_000),
            Map.of("vda", new DiskReading("vda", 10, 1_000, 20, 2_000, 300)),
            Map.of("javac", 100 * MILLI, "backup", 900 * MILLI),
            7 * SECOND);
    private final HostCounts until = new HostCounts(
            new CpuNanos(52_000 * MILLI, 21_500 * MILLI, 1_200 * MILLI, 140 * MILLI, 3_200 * MILLI, 6_000 * MILLI),
            HostCounts.Contention.NONE,
            new Transfers(104, 208, 1_500, 2_700),
            Map.of(
                    "vda", new DiskReading("vda", 15, 1_800, 29, 4_000, 550),
                    "plugged in since", new DiskReading("plugged in since", 1, 1, 1, 1, 1)),
            Map.of("javac", 350 * MILLI, "backup", 960 * MILLI, "sshd", 101 * MILLI),
            8 * SECOND);
    private final HostCounts span = until.since(from);

    @Test
    void ratiosAreSharesOfAllCpus() {
        assertThat(span.shares().databaseCpuRatio()).isEqualTo(0.5, EXACT);
        assertThat(span.shares().generatorCpuRatio()).isEqualTo(0.1, EXACT);
        assertThat(span.shares().iowaitRatio()).isEqualTo(0.1, EXACT);
        assertThat(span.shares().stealRatio()).isEqualTo(0.02, EXACT);
    }

    /** 250 ms are an eighth, 101 ms a little more than a twentieth, 60 ms less. */
    @Test
    void heavyProgramsAreTheBusiestFirst() {
        assertThat(span.heavierThan(0.05))
                .containsExactly(
                        new HostActivity.HeavyProcess("javac", 0.125), new HostActivity.HeavyProcess("sshd", 0.0505));
    }

    /** Two equal seconds: twice as much was done in twice the time. */
    @Test
    void spansAddUp() {
        HostCounts both = span.plus(span);

        assertThat(both.shares()).isEqualTo(span.shares());
        assertThat(both.transfers()).isEqualTo(new Transfers(8, 16, 1_000, 1_400));
        assertThat(both.heavierThan(0.05)).isEqualTo(span.heavierThan(0.05));
        assertThat(both.diskActivity()).containsExactly(new HostActivity.Disk("vda", 10, 1_600, 18, 4_000, 0.25));
        assertThat(HostCounts.NONE.plus(span)).isEqualTo(span);
    }

    /** They had 2 of 8 s, the kernel 1, and we 1 of 4 that ran: a quarter of 0.6 s of waiting, and of 0.4 s that were stolen. */
    @Test
    void othersCostTheirShareOfTheWaitingAndOfWhatWasStolen() {
        HostCounts span = new HostCounts(
                new CpuNanos(8 * SECOND, 4 * SECOND, 0, 400 * MILLI, SECOND / 2, SECOND / 2),
                new HostCounts.Contention(SECOND, 600 * MILLI, 0, 0),
                Transfers.NONE,
                Map.of(),
                Map.of(),
                SECOND);

        assertThat(Math.round(span.lostNanos())).isEqualTo(250 * MILLI);
        assertThat(span.shares().otherCpuRatio()).as("without the kernel's").isEqualTo(0.25);
    }
}
