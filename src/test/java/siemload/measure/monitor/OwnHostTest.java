package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.measure.monitor.HostCounts.OwnHost;

/** What files of {@code /proc} say, and this machine as it is. */
@Tag("every-java")
class OwnHostTest {
    private static final String STATISTICS = """
               7       0 loop0 9 0 9 9 9 0 9 9 0 9 9 0 0 0 0 0 0
             254       0 vda 100 7 2000 818 30 4 600 415 0 407 5145 1 15 413 131 10 45
             254       1 vda1 90 7 1000 818 30 4 600 415 0 407 5145
             253       0 zram0 1 0 1 1 1 0 1 1 0 1 1
             259       0 nvme0n1 1 2 3
            """;

    /** 2,000 sectors of 512 bytes are 1,024,000 bytes; the last line is too short for any kernel. */
    @Test
    void wholeDevicesAreReadAndPartitionsAndMemoryAreNot(@TempDir Path root) throws IOException {
        for (String device : List.of("loop0", "vda", "zram0", "nvme0n1")) {
            Files.createDirectories(root.resolve("sys/block").resolve(device));
        }
        Files.writeString(Files.createDirectories(root.resolve("proc")).resolve("diskstats"), STATISTICS);

        Map<String, Long> counts =
                new TreeMap<>(new OwnHost(DatabaseProcesses.HERE, root).read().values());

        counts.keySet().removeIf(name -> !name.startsWith("disk/"));
        assertThat(counts)
                .containsExactly(
                        Map.entry("disk/vda/busyMillis", 407L),
                        Map.entry("disk/vda/readBytes", 1_024_000L),
                        Map.entry("disk/vda/reads", 100L),
                        Map.entry("disk/vda/writes", 30L),
                        Map.entry("disk/vda/writtenBytes", 307_200L));
    }

    @Test
    void thisMachineTellsAllThatIsWatched() {
        OwnHost host = new OwnHost(DatabaseProcesses.HERE);
        HostCounts look = host.read();

        assertThat(host.unreadable()).isEmpty();
        assertThat(look.level("cpus")).isPositive();
        assertThat(look.values()).containsKeys("all/total", "swapInBytes", "generator", "waited");
        assertThat(look.of("all/total")).isGreaterThan(look.of("all/user"));
        assertThat(look.levels().get("memoryUsedBytes")).isGreaterThan(10 << 20);
        assertThat(look.levels()).containsKeys("load1", "pageCacheBytes");
    }

    /** As on macOS and Windows. */
    @Test
    void whereThereIsNoProcThatIsSaid(@TempDir Path directory) {
        OwnHost host = new OwnHost(DatabaseProcesses.HERE, directory);

        assertThat(host.read().of("all/total")).isZero();
        assertThat(host.unreadable()).isNotEmpty().first().asString().startsWith("the CPUs (");
    }
}
