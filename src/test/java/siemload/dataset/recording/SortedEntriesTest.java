package siemload.dataset.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.dataset.recording.RecordingScan.SortedEntries;

class SortedEntriesTest {
    @TempDir
    private Path directory;

    private record Entry(long micros, long place) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 4_999, 10_000})
    void entriesAreSortedHoweverManyFitIntoMemory(int inMemory) throws IOException {
        Random random = new Random(1);
        List<Entry> entries = new ArrayList<>();
        int count = inMemory == 1 ? 200 : 5_000;
        try (ScratchFiles scratch = new ScratchFiles(directory.resolve("cache"), "test")) {
            SortedEntries sorted = new SortedEntries(scratch, inMemory);
            for (int i = 0; i < count; i++) {
                Entry entry = new Entry(random.nextInt(1_000) - 500, i);
                entries.add(entry);
                sorted.add(entry.micros(), entry.place());
            }
            List<Entry> found = new ArrayList<>();
            sorted.forEach((micros, place) -> found.add(new Entry(micros, place)));

            entries.sort(Comparator.comparingLong(Entry::micros).thenComparingLong(Entry::place));
            assertThat(found).isEqualTo(entries);
        }
    }
}
