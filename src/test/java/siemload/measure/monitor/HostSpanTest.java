package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import siemload.measure.monitor.HostReading.CpuMillis;
import siemload.measure.monitor.HostReading.DiskReading;
import siemload.results.HostActivity;

/** One second on a machine with two CPUs, which is 2,000 ms of CPU time. */
class HostSpanTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;
    private static final Offset<Double> EXACT = within(1e-12);

    private final HostSpan span = new HostSpan(
            new HostReading(
                    new CpuMillis(50_000, 20_000, 1_000, 100),
                    1.0,
                    4_000,
                    100,
                    200,
                    1_000,
                    2_000,
                    List.of(new DiskReading("vda", 10, 1_000, 20, 2_000, 300)),
                    3_000 * MILLI,
                    5_000 * MILLI,
                    Map.of("javac", 100 * MILLI, "backup", 900 * MILLI)),
            new HostReading(
                    new CpuMillis(52_000, 21_500, 1_200, 140),
                    1.5,
                    5_000,
                    104,
                    208,
                    1_500,
                    2_700,
                    List.of(
                            new DiskReading("vda", 15, 1_800, 29, 4_000, 550),
                            new DiskReading("plugged in since", 1, 1, 1, 1, 1)),
                    3_200 * MILLI,
                    6_000 * MILLI,
                    Map.of("javac", 350 * MILLI, "backup", 960 * MILLI, "sshd", 101 * MILLI)),
            SECOND);

    @Test
    void ratiosAreSharesOfAllCpus() {
        assertThat(span.databaseCpuRatio()).isEqualTo(0.5, EXACT);
        assertThat(span.generatorCpuRatio()).isEqualTo(0.1, EXACT);
        assertThat(span.iowaitRatio()).isEqualTo(0.1, EXACT);
        assertThat(span.stealRatio()).isEqualTo(0.02, EXACT);
    }

    /** 1,500 of 2,000 ms were busy, of which 1,200 were the database's and the generator's. */
    @Test
    void othersHaveWhatIsLeftOfTheBusyTime() {
        assertThat(span.otherCpuRatio()).isEqualTo(0.15, EXACT);
    }

    @Test
    void disksAreComparedByName() {
        assertThat(span.disks()).containsExactly(new HostActivity.Disk("vda", 5, 800, 9, 2_000, 0.25));
    }

    @Test
    void swapAndNetworkAreDifferences() {
        assertThat(span.swapInBytes()).isEqualTo(4);
        assertThat(span.swapOutBytes()).isEqualTo(8);
        assertThat(span.networkReceivedBytes()).isEqualTo(500);
        assertThat(span.networkSentBytes()).isEqualTo(700);
    }

    /** 250 ms are an eighth, 101 ms a little more than a twentieth, 60 ms less. */
    @Test
    void heavyProgramsAreTheBusiestFirst() {
        assertThat(span.heavierThan(0.05))
                .containsExactly(
                        new HostActivity.HeavyProcess("javac", 0.125), new HostActivity.HeavyProcess("sshd", 0.0505));
    }

    /** The second is skipped: what is seen of the same second again is nothing, and a later one counts alone. */
    @Test
    void whatIsSkippedDoesNotCount() {
        HostReading skipping = span.from().skipping(span.from(), span.until());
        HostSpan skipped = new HostSpan(skipping, span.until(), SECOND);

        assertThat(skipped.generatorCpuRatio()).isZero();
        assertThat(skipped.otherCpuRatio()).isZero();
        assertThat(skipped.networkSentBytes()).isZero();
        assertThat(skipped.swapInBytes()).isZero();
        assertThat(skipped.heavierThan(0)).isEmpty();
        assertThat(skipped.disks()).containsExactly(new HostActivity.Disk("vda", 0, 0, 0, 0, 0));
        HostReading later = span.until().skipping(span.from(), span.until());
        assertThat(new HostSpan(skipping, later, SECOND).otherCpuRatio()).isEqualTo(span.otherCpuRatio(), EXACT);
        assertThat(new HostSpan(skipping, later, SECOND).heavierThan(0.05)).isEqualTo(span.heavierThan(0.05));
    }

    @Test
    void aMachineThatCountsNoTimeHasNoRatios() {
        HostReading nothing =
                new HostReading(new CpuMillis(0, 0, 0, 0), 0, 0, 0, 0, 0, 0, List.of(), 5 * MILLI, 0, Map.of());

        assertThat(new HostSpan(nothing, nothing, SECOND).generatorCpuRatio()).isZero();
    }
}
