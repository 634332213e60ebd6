package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import siemload.measure.monitor.HostCounts.DiskReading;

class LinuxDisksTest {
    private static final String STATISTICS = """
               7       0 loop0 9 0 9 9 9 0 9 9 0 9 9 0 0 0 0 0 0
             254       0 vda 100 7 2000 818 30 4 600 415 0 407 5145 1 15 413 131 10 45
             254       1 vda1 90 7 1000 818 30 4 600 415 0 407 5145
             253       0 zram0 1 0 1 1 1 0 1 1 0 1 1
             259       0 nvme0n1 1 2 3
            """;

    /** 2,000 sectors of 512 bytes are 1,024,000 bytes; the last line is too short for any kernel. */
    @Test
    void wholeDevicesAreReadAndPartitionsAndMemoryAreNot() {
        assertThat(LinuxDisks.parse(STATISTICS, Set.of("loop0", "vda", "zram0", "nvme0n1")::contains))
                .containsExactly(new DiskReading("vda", 100, 1_024_000, 30, 307_200, 407));
    }
}
