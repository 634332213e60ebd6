package siemload.dataset.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.dataset.SeededRandom;

class ExternalSortTest {
    private static final int COUNT = 1_000;

    @TempDir
    private Path directory;

    private record Thing(int place, String name) {}

    private static final ExternalSort.Form<Thing> FORM = new ExternalSort.Form<>() {
        @Override
        public void write(Thing thing, DataOutput out) throws IOException {
            out.writeInt(thing.place());
            out.writeUTF(thing.name());
        }

        @Override
        public Thing read(DataInput in) throws IOException {
            return new Thing(in.readInt(), in.readUTF());
        }
    };

    /** So many at once: one piece, some, and many. */
    @ParameterizedTest
    @ValueSource(ints = {COUNT + 1, 100, 7})
    void allComeInTheirOrderAndEqualOnesInTheOrderOfComing(int held) throws IOException {
        SeededRandom random = new SeededRandom(5);
        List<Thing> expected = new ArrayList<>();
        List<Thing> found = new ArrayList<>();
        List<Thing> again = new ArrayList<>();
        Comparator<Thing> order = Comparator.comparingInt(Thing::place);
        try (ExternalSort<Thing> sort = new ExternalSort<>(order, FORM, held, () -> directory.resolve("spilled"))) {
            for (int i = 0; i < COUNT; i++) {
                Thing thing = new Thing(random.nextInt(300), "č" + i);
                expected.add(thing);
                sort.add(thing);
            }
            sort.forEach(found::add);
            sort.forEach(again::add);
        }

        expected.sort(order);
        assertThat(found).isEqualTo(expected);
        assertThat(again).isEqualTo(expected);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }
}
