package siemload.measure.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import siemload.measure.environment.MachineFacts.FilesystemFacts;
import siemload.measure.environment.MachineFacts.HardwareFacts;
import siemload.measure.environment.MachineFacts.JavaFacts;
import siemload.measure.environment.MachineFacts.KernelFacts;

/** What Linux tells in its files, from files written by hand. */
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

        Map<String, String> hardware = HardwareFacts.read(new SystemFiles(root));

        assertThat(hardware).containsEntry("cpu", "Example 9000").containsEntry("cpuCoresPerSocket", "2");
        assertThat(hardware.toString()).doesNotContain("2596").doesNotContain("3100");
    }

    @Test
    void kernelParametersAndLimitsAreTold() throws Exception {
        write("proc/sys/vm/swappiness", "10\n");
        write("proc/sys/vm/dirty_ratio", "20\n");
        write("proc/sys/net/ipv4/tcp_congestion_control", "cubic\tbbr\n");
        write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
        write("proc/self/limits", """
                Limit                     Soft Limit           Hard Limit           Units
                Max open files            1024                 4096                 files
                Max locked memory         8388608              8388608              bytes
                Max nice priority         0                    0
                """);

        assertThat(KernelFacts.read(new SystemFiles(root)))
                .containsEntry("vm.swappiness", "10")
                .containsEntry("vm.dirty_ratio", "20")
                .containsEntry("net.ipv4.tcp_congestion_control", "cubic bbr")
                .containsEntry("transparentHugePages", "madvise")
                .containsEntry("limit.open_files", "1024")
                .containsEntry("limit.locked_memory", "8388608")
                .doesNotContainKey("limit.nice_priority");
    }

    /** The kernel gives its parameters to the first read alone, however little that takes. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void theRealKernelsParametersHaveAllTheirDigits() {
        assertThat(new SystemFiles(Path.of("/")).text("proc/sys/fs/file-max").orElse(""))
                .hasSizeGreaterThan(3);
    }

    @Test
    void aDirectoryLiesOnTheDeepestMountAboveItWithTheSchedulerOfItsDisk() throws Exception {
        Path data = Files.createDirectories(root.resolve("srv/data")).toRealPath();
        write("proc/self/mounts", """
                /dev/vda / ext4 rw,relatime,discard 0 0
                /dev/vdb1 %s xfs rw,noatime,logbufs=8 0 0
                """.replace("%s", data.toString().replace(" ", "\\040")));
        write("sys/class/block/vda/queue/scheduler", "none [mq-deadline] kyber\n");
        // The kernel shows a partition below its disk, which alone has a queue.
        write("sys/class/block/vdb1/partition", "1\n");
        write("sys/class/block/queue/scheduler", "[none] mq-deadline\n");

        Map<String, String> values = FilesystemFacts.read(
                new SystemFiles(root), Map.of("data", data.resolve("not/yet/there"), "results", Path.of("/")));

        assertThat(values)
                .containsEntry("data.fileSystem", "xfs")
                .containsEntry("data.device", "/dev/vdb1")
                .containsEntry("data.mountOptions", "rw,noatime,logbufs=8")
                .containsEntry("data.scheduler", "none")
                .containsEntry("results.fileSystem", "ext4")
                .containsEntry("results.mountOptions", "rw,relatime,discard")
                .containsEntry("results.scheduler", "mq-deadline");
    }

    @Test
    void whereThereAreNoSuchFilesTheRestIsToldNevertheless() {
        SystemFiles nothing = new SystemFiles(root.resolve("nothing"));

        assertThat(HardwareFacts.read(nothing)).containsKeys("cpus", "memoryBytes", "architecture");
        assertThat(KernelFacts.read(nothing)).containsKeys("system", "version");
        assertThat(FilesystemFacts.read(nothing, Map.of("data", root))).containsKey("data.fileSystem");
        assertThat(ProgramFacts.read(root)).containsOnlyKeys("version");
    }

    @Test
    void flagsAreThoseOfTheMachineAndNotOfPrograms() {
        assertThat(JavaFacts.flags(List.of(
                        "-Xmx1g",
                        "-XX:+UseZGC",
                        "-Dpassword=hunter2",
                        "-Dresults=/somewhere",
                        "-Djdk.net.usePlainSocketImpl=true",
                        "-Djavax.net.ssl.trustStorePassword=hunter2",
                        "-javaagent:/home/me/jacoco.jar=append=true")))
                .isEqualTo("-Xmx1g -XX:+UseZGC -Djdk.net.usePlainSocketImpl=true -javaagent:jacoco.jar=append=true");
    }

    @Test
    void driversAreFoundOnTheClassPathAndInAJarThatListsIt() throws Exception {
        Path booter = root.resolve("booter.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(Attributes.Name.CLASS_PATH, "file:/m2/ojdbc11-23.26.4.0.0.jar file:/m2/other-1.jar");
        new JarOutputStream(Files.newOutputStream(booter), manifest).close();

        String classPath = "/m2/postgresql-42.7.14.jar:" + booter + ":/m2/gatling-core-3.jar:/target/classes";
        assertThat(JavaFacts.libraries(Set.of("postgresql", "ojdbc11", "bson"), classPath, ":"))
                .containsOnly(
                        Map.entry("postgresql", "42.7.14"),
                        Map.entry("ojdbc11", "23.26.4.0.0"),
                        Map.entry("gatling-core", "3"),
                        Map.entry("HdrHistogram", "not found"),
                        Map.entry("bson", "not found"));
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
