package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
@Tag("every-java")
class ResourcesTest {
    private final List<String> closed = new CopyOnWriteArrayList<>();
    private final Resources resources = new Resources();

    @Test
    void closingWaitsForWhatIsJustBeingOpenedAndGivesItBack() throws Exception {
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch opened = new CountDownLatch(1);
        resources.add(() -> closed.add("directory"));
        CompletableFuture<Void> opener = onAThreadOfItsOwn(() -> resources.open(() -> {
            opening.countDown();
            await(opened);
            return () -> closed.add("server");
        }));
        opening.await();
        CompletableFuture<Void> closer = onAThreadOfItsOwn(() -> {
            resources.close();
            closed.add("end");
        });
        assertThat(closed).isEmpty();

        opened.countDown();
        closer.join();

        assertThat(closed).containsExactly("server", "directory", "end");
        assertThat(opener).succeedsWithin(10, TimeUnit.SECONDS);
        assertThatThrownBy(() -> resources.add(() -> closed.add("late"))).isInstanceOf(IllegalStateException.class);
        assertThat(closed).containsExactly("server", "directory", "end", "late");
    }

    /** The common pool may have no second thread on a small machine, and the two tasks wait for each other. */
    private static CompletableFuture<Void> onAThreadOfItsOwn(Runnable task) {
        return CompletableFuture.runAsync(task, command -> new Thread(command).start());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @TempDir
    private Path results = Path.of("");

    @Test
    void aDirectoryInWhichNothingWasMeasuredGoesWithItsRunAndOthersStay() throws IOException {
        for (String file : List.of("plan.txt", "run.json", "timeline.csv")) {
            Path run = Files.createDirectory(results.resolve("hawat-" + file));
            Files.writeString(run.resolve(file), "heading\n1\n");
            new RunDirectory(run, "hawat", Instant.EPOCH).close();
            assertThat(Files.exists(run)).isEqualTo(!file.equals("plan.txt"));
        }
    }
}
