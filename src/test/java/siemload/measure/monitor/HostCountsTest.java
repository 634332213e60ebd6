package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.results.HostActivity;

class HostCountsTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;

    private final HostCounts from = counts(
            7 * SECOND,
            Map.of(
                    "all/total", 50_000 * MILLI,
                    "all/user", 15_000 * MILLI,
                    "all/system", 5_000 * MILLI,
                    "all/iowait", 1_000 * MILLI,
                    "all/steal", 100 * MILLI,
                    "generator", 3_000 * MILLI,
                    "database", 5_000 * MILLI),
            Map.of("swapInBytes", 100L, "networkSentBytes", 2_000L),
            Map.of("disk/vda/reads", 10L, "disk/vda/readBytes", 1_000L, "disk/vda/busyMillis", 300L),
            Map.of("program/javac", 100 * MILLI, "program/backup", 900 * MILLI));
    private final HostCounts until = counts(
            8 * SECOND,
            Map.of(
                    "all/total", 52_000 * MILLI,
                    "all/user", 16_200 * MILLI,
                    "all/system", 5_300 * MILLI,
                    "all/iowait", 1_200 * MILLI,
                    "all/steal", 140 * MILLI,
                    "generator", 3_200 * MILLI,
                    "database", 6_000 * MILLI),
            Map.of("swapInBytes", 104L, "networkSentBytes", 2_700L),
            Map.of("disk/vda/reads", 15L, "disk/vda/readBytes", 1_800L, "disk/vda/busyMillis", 550L),
            Map.of("disk/plugged in since/reads", 1L),
            Map.of("program/javac", 350 * MILLI, "program/backup", 960 * MILLI, "program/sshd", 101 * MILLI));
    private final HostCounts span = until.since(from);

    @SafeVarargs
    private static HostCounts counts(long nanos, Map<String, Long>... some) {
        Map<String, Long> all = new HashMap<>();
        for (Map<String, Long> one : some) {
            all.putAll(one);
        }
        return new HostCounts(nanos, all, Map.of());
    }

    @Test
    void ratiosAreSharesOfAllCpus() {
        assertThat(span.figures())
                .containsEntry("databaseCpuRatio", 0.5)
                .containsEntry("generatorCpuRatio", 0.1)
                .containsEntry("otherCpuRatio", 0.15)
                .containsEntry("iowaitRatio", 0.1)
                .containsEntry("stealRatio", 0.02);
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

        assertThat(both.figures())
                .containsEntry("databaseCpuRatio", 0.5)
                .containsEntry("swapInBytes", 8L)
                .containsEntry("networkSentBytes", 1_400L);
        assertThat(both.ofASecond().of("networkSentBytes")).isEqualTo(700);
        assertThat(both.heavierThan(0.05)).isEqualTo(span.heavierThan(0.05));
        assertThat(both.disks()).containsExactly(new HostActivity.Disk("vda", 10, 1_600, 0, 0, 0.25));
        assertThat(HostCounts.NONE.plus(span)).isEqualTo(span);
    }

    /** They had 2 of 8 s, the kernel 1, and we 1 of 4 that ran: a quarter of 0.6 s of waiting, and of 0.4 s that were stolen. */
    @Test
    void othersCostTheirShareOfTheWaitingAndOfWhatWasStolen() {
        HostCounts second = counts(
                SECOND,
                Map.of("all/total", 8 * SECOND, "all/user", 3 * SECOND, "all/system", SECOND, "all/steal", 400 * MILLI),
                Map.of("generator", SECOND / 2, "database", SECOND / 2, "kernel", SECOND, "waited", 600 * MILLI));

        assertThat(Math.round(second.lostNanos())).isEqualTo(250 * MILLI);
        assertThat(second.otherCpuRatio()).as("without the kernel's").isEqualTo(0.25);
    }
}
