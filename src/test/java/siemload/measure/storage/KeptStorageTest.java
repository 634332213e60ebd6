package siemload.measure.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.StorageResult;
import siemload.results.StorageResult.Disk;

class KeptStorageTest {
    private static final Disk DISK = new Disk("sda", "SSD 1", 1_000_000, "ext4", "/");
    private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");

    @TempDir
    private Path directory;

    private final List<String> unreadable = new ArrayList<>();

    @Test
    void itIsFoundAgainInTheResultsAndFromOtherResultsInTheCache() throws IOException {
        StorageResult result = result(DISK, NOON);

        assertThat(kept("results").keep(result)).isEqualTo(directory.resolve("results/storage.json"));

        assertThat(kept("results").newest(DISK, unreadable::add)).contains(result);
        assertThat(kept("others").newest(DISK, unreadable::add)).contains(result);
        assertThat(unreadable).isEmpty();
    }

    @Test
    void anotherDiskUnderTheSameNameIsAnotherDisk() throws IOException {
        kept("results").keep(result(DISK, NOON));
        Disk exchanged = new Disk("sda", "SSD 2", 1_000_000, "ext4", "/");

        assertThat(kept("results").newest(exchanged, unreadable::add)).isEmpty();
    }

    @Test
    void aBrokenFileIsToldAndTheOtherOneCounts() throws IOException {
        StorageResult result = result(DISK, NOON);
        kept("results").keep(result);
        Files.writeString(directory.resolve("results/storage.json"), "{\"formatVersion\": 2}");

        assertThat(kept("results").newest(DISK, unreadable::add)).contains(result);
        assertThat(unreadable)
                .singleElement()
                .asString()
                .contains("storage.json: formatVersion 2 is not known here (known: 1)");
    }

    private KeptStorage kept(String results) throws IOException {
        return new KeptStorage(Files.createDirectories(directory.resolve(results)), directory.resolve("cache"));
    }

    private static StorageResult result(Disk disk, Instant when) {
        return new StorageResult(
                1, when, "/", disk, new StorageResult.Method("fio-3.33", 0, 1 << 30, 10, "fio"), List.of(), List.of());
    }
}
