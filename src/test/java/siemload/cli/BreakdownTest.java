package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.run.Breakdown;

class BreakdownTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void aWorkerThatDiesOfWantOfMemoryEndsTheProcessWithOneMessageAndNoDump() throws Exception {
        ChildProcess.Ended ended = processThatLoses("siemload-search-1", "Java heap space");
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.output().lines()).singleElement().asString().startsWith("out of memory: this Java process");
        assertThat(Path.of("").toAbsolutePath()).isDirectoryNotContaining("glob:**.hprof");
    }

    @Test
    void wantOfThreadsIsToldFromWantOfMemory() throws Exception {
        ChildProcess.Ended ended = processThatLoses("of a library", "unable to create native thread");
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.output().lines())
                .singleElement()
                .asString()
                .startsWith("the system allows no more threads")
                .contains("ulimit -u");
    }

    private ChildProcess.Ended processThatLoses(String thread, String want) throws Exception {
        List<String> dump = List.of("-XX:+HeapDumpOnOutOfMemoryError");
        return ChildProcess.start(directory, WaitingInVain.class.getName(), dump, List.of(thread, want))
                .await();
    }

    /** Waits for a thread that has died. */
    static final class WaitingInVain {
        public static void main(String[] arguments) throws InterruptedException {
            Breakdown.watch(new ProcessHost());
            Runnable dying = () -> {
                throw new OutOfMemoryError(arguments[1]);
            };
            new Thread(dying, arguments[0]).start();
            Thread.currentThread().join();
        }
    }
}
