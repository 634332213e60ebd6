package siemload.run.learn;

import static org.assertj.core.api.Assertions.assertThat;

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
import siemload.run.learn.LearntReplay.SpooledExecutions;
import siemload.run.learn.LearntReplay.SpooledExecutions.Spooled;

/** Executions come back sorted, however many pieces and files they were kept in. */
class SpooledExecutionsTest {
    private static final int COUNT = 1_000;

    @TempDir
    private Path directory;

    /** So many at once: one piece, some, and many. */
    @ParameterizedTest
    @ValueSource(ints = {COUNT + 1, 100, 7})
    void theyComeInTheOrderInWhichTheyBegan(int held) throws IOException {
        SeededRandom random = new SeededRandom(5);
        List<Spooled> added = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            added.add(new Spooled(random.nextInt(300), i, random.nextLong(), i, List.of("it's " + i, "", "č")));
        }
        List<Spooled> found = new ArrayList<>();
        List<Spooled> again = new ArrayList<>();
        try (SpooledExecutions spooled = new SpooledExecutions(directory, held)) {
            for (Spooled execution : added) {
                spooled.add(execution);
            }
            spooled.inOrder(found::add);
            spooled.inOrder(again::add);
        }

        added.sort(Comparator.comparingLong(Spooled::startMicros).thenComparingInt(Spooled::session));
        assertThat(found).isEqualTo(added);
        assertThat(again).isEqualTo(added);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }
}
