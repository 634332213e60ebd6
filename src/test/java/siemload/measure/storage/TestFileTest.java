package siemload.measure.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import siemload.config.ConfigException;
import siemload.config.directory.DirectoryTree;
import siemload.measure.storage.DiskMeter.TestFile;

/** On the disk of the checkout: the directory of temporary files may lie in memory. */
class TestFileTest {
    private static final long BYTES = 1 << 20;

    private Path directory;

    @BeforeEach
    void makeDirectory() throws IOException {
        directory = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "test-file")
                .toRealPath();
    }

    @AfterEach
    void deleteDirectory() throws IOException {
        DirectoryTree.delete(directory);
    }

    @Test
    void whatLiesInTheDirectoryStaysAsItIs() throws IOException {
        Path mine = Files.writeString(directory.resolve("mine.txt"), "mine");
        Path alike = Files.writeString(directory.resolve("siemload-storage-mine.bin"), "mine");
        Path link = Files.createSymbolicLink(directory.resolve("siemload-storage-1.bin"), mine);

        create().close();

        assertThat(files()).containsExactlyInAnyOrder(mine, alike, link);
        assertThat(mine).hasContent("mine");
    }

    @Test
    void aFileThatAKilledProcessLeftIsRemoved() throws IOException {
        Path left = Files.writeString(directory.resolve("siemload-storage-12345.bin"), "left");

        try (TestFile file = create()) {
            assertThat(files()).containsExactly(file.path()).doesNotContain(left);
        }
    }

    @Test
    void aFileThatSomebodyStillLocksIsLeftAloneAndNamed() throws IOException {
        Path used = Files.writeString(directory.resolve("siemload-storage-12345.bin"), "used");
        try (FileChannel channel = FileChannel.open(used, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertRefused(
                    directory, BYTES, "another siemload measures this disk already, by siemload-storage-12345.bin");
        }
        assertThat(used).hasContent("used");
    }

    @Test
    void anotherFileInItsPlaceIsNeitherUsedNorDeleted() throws IOException {
        Path theirs;
        try (TestFile file = create()) {
            theirs = file.path();
            // Kept, so that its number is not given to the next file.
            Files.move(theirs, directory.resolve("moved"));
            Files.writeString(theirs, "theirs");

            assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(file::requireOurs)
                    .withMessageContaining("put another in its place");
        }
        assertThat(theirs).hasContent("theirs");
    }

    @Test
    void whatIsNoDirectoryIsRefused() throws IOException {
        Path file = Files.writeString(directory.resolve("mine"), "mine");

        assertRefused(file, BYTES, "is no directory");
        assertThat(file).hasContent("mine");
        assertRefused(Path.of("/dev/null"), BYTES, "neither reads nor writes devices");
        assertRefused(directory.resolve("nowhere"), BYTES, "there is no such directory");
    }

    @Test
    void aSizeThatLeavesTooLittleSpaceIsRefusedWithFigures() throws IOException {
        long free = Files.getFileStore(directory).getUsableSpace();

        assertRefused(directory, free, "MB are free, but", "1,024 that stay free for others");
        assertThat(files()).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void memoryIsNoDisk() throws IOException {
        Path memory = Path.of("/dev/shm");
        Assumptions.assumeTrue(
                Files.isWritable(memory) && Files.getFileStore(memory).type().equals("tmpfs"), "no tmpfs at /dev/shm");
        Path inMemory = Files.createTempDirectory(memory, "siemload");
        try {
            assertRefused(inMemory, BYTES, "lies in memory (tmpfs)");
        } finally {
            Files.delete(inMemory);
        }
    }

    private TestFile create() {
        return TestFile.create(directory, BYTES, 0);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static void assertRefused(Path directory, long bytes, String... why) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> TestFile.create(directory, bytes, 0).close())
                .satisfies(refused -> assertThat(refused).hasMessageStartingWith(directory + ": "))
                .satisfies(refused -> assertThat(refused.getMessage()).contains(why));
    }
}
