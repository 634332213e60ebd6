package siemload.measure.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.StorageResult.Disk;

/** What Linux tells in its files, from files written by hand. */
class DiskFactsTest {
    @TempDir
    private Path root;

    private Path data;

    @BeforeEach
    void makeDirectory() throws IOException {
        data = Files.createDirectories(root.resolve("srv/data")).toRealPath();
        write("sys/block/sdb/size", "2000000\n");
        write("sys/block/sdb/device/model", "SSD 9000   \n");
    }

    @Test
    void aPartitionCountsAsItsDisk() throws IOException {
        mount("8:17", "xfs", "/dev/sdb1");
        write("sys/devices/sdb/sdb1/partition", "1\n");
        link("sys/dev/block/8:17", "sys/devices/sdb/sdb1");

        assertThat(disk()).isEqualTo(new Disk("sdb", "SSD 9000", 1_024_000_000, "xfs", data.toString()));
    }

    /** As btrfs does. */
    @Test
    void aFileSystemWithNumbersOfItsOwnIsFoundByItsDevice() throws IOException {
        mount("0:35", "btrfs", "/dev/sdb1");
        write("dev/sdb1", "");
        write("sys/devices/sdb/sdb1/partition", "1\n");
        link("sys/class/block/sdb1", "sys/devices/sdb/sdb1");

        assertThat(disk().name()).isEqualTo("sdb");
    }

    @Test
    void layersAndNetworksHaveNoDisk() throws IOException {
        mount("0:51", "overlay", "overlay");

        assertThat(disk()).isEqualTo(new Disk("", "", 0, "overlay", data.toString()));
        assertThat(disk().hasName()).isFalse();
    }

    private Disk disk() {
        return DiskFacts.of(new SystemFiles(root), data.resolve("not/yet/there"));
    }

    private void mount(String numbers, String type, String source) throws IOException {
        write("proc/self/mountinfo", """
                22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
                30 22 %n / %p rw,noatime - %t %s rw
                """.replace("%n", numbers)
                .replace("%p", data.toString().replace(" ", "\\040"))
                .replace("%t", type)
                .replace("%s", source));
    }

    private void link(String name, String target) throws IOException {
        Path link = root.resolve(name);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, root.resolve(target));
    }

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
