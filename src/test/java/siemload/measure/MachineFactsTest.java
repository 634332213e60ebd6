package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import siemload.measure.EnvironmentRecord.MachineFacts;

@Tag("every-java")
class MachineFactsTest {
    @TempDir
    private Path root;

    @Test
    void theProcessorIsNamedWithoutItsPresentClockRate() throws Exception {
        write("proc/cpuinfo", """
                processor\t: 0
                model name\t: Example 9000
                cpu MHz\t\t: 2596.148
                cpu cores\t: 2

                processor\t: 1
                model name\t: Example 9000
                cpu MHz\t\t: 3100.000
                """);

        Map<String, String> hardware = new MachineFacts(root).hardware();

        assertThat(hardware).containsEntry("cpu", "Example 9000").containsEntry("cpuCoresPerSocket", "2");
        assertThat(hardware.toString()).doesNotContain("2596").doesNotContain("3100");
    }

    @Test
    void kernelParametersAreTold() throws Exception {
        write("proc/sys/vm/swappiness", "10\n");
        write("proc/sys/vm/dirty_ratio", "20\n");
        write("proc/sys/net/ipv4/tcp_congestion_control", "cubic\tbbr\n");
        write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
        assertThat(new MachineFacts(root).kernel())
                .containsEntry("vm.swappiness", "10")
                .containsEntry("vm.dirty_ratio", "20")
                .containsEntry("net.ipv4.tcp_congestion_control", "cubic bbr")
                .containsEntry("transparentHugePages", "madvise");
    }

    /** The kernel gives its parameters to the first read alone, however little that takes. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void theRealKernelsParametersHaveAllTheirDigits() {
        assertThat(new MachineFacts(Path.of("/")).text("proc/sys/fs/file-max").orElse(""))
                .hasSizeGreaterThan(3);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aDirectoryLiesOnTheMountOfItsNearestParentThatExists() {
        assertThat(new MachineFacts(Path.of("/")).fileSystems(Map.of("data", root.resolve("not/yet/there"))))
                .containsKeys("data.fileSystem", "data.device", "data.mountPoint", "data.mountOptions");
    }

    @Test
    void whereThereAreNoSuchFilesTheRestIsToldNevertheless() {
        MachineFacts nothing = new MachineFacts(root.resolve("nothing"));

        assertThat(nothing.hardware()).containsKeys("cpus", "memoryBytes", "architecture");
        assertThat(nothing.kernel()).containsKeys("system", "version");
        assertThat(nothing.fileSystems(Map.of("data", root))).containsKey("data.fileSystem");
        assertThat(MachineFacts.program(root)).containsOnlyKeys("version");
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
