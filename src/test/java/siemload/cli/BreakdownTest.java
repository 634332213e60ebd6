package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.run.Breakdown;
import siemload.run.ExitCode;
import siemload.run.QuietHost;
import siemload.run.RunGuard;
import siemload.run.RunHost;

@Tag("every-java")
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
    void wantOfThreadsIsToldFromWantOfMemory() {
        QuietHost host = new QuietHost(new ArrayList<>());

        assertThatThrownBy(() -> RunGuard.report(host, new OutOfMemoryError("unable to create native thread")))
                .hasMessageStartingWith("the system allows no more threads")
                .hasMessageContaining("ulimit -u");
    }

    @Test
    void anErrorOfTheMainThreadEndsTheProcessAsABugAndNotAsInterrupted() throws Exception {
        ChildProcess.Ended ended = process(FailingCommand.class);
        assertThat(ended.exitCode()).isEqualTo(ExitCode.BUG.number());
        assertThat(ended.output()).contains("ExceptionInInitializerError");
    }

    private ChildProcess.Ended processThatLoses(String thread, String want) throws Exception {
        return process(WaitingInVain.class, thread, want);
    }

    private ChildProcess.Ended process(Class<?> program, String... arguments) throws Exception {
        List<String> dump = List.of("-XX:+HeapDumpOnOutOfMemoryError");
        return ChildProcess.start(directory, program.getName(), dump, List.of(arguments))
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

    /** Ends as the launcher does, by a command whose class cannot be made, on a machine that is slow to end it. */
    static final class FailingCommand {
        public static void main(String[] arguments) {
            Thread main = Thread.currentThread();
            RunHost host = new ProcessHost();
            Breakdown.watch((RunHost) Proxy.newProxyInstance(
                    RunHost.class.getClassLoader(), new Class<?>[] {RunHost.class}, (proxy, method, given) -> {
                        if (method.getName().equals("exit")) {
                            main.join(500);
                            assertThat(main.isAlive())
                                    .as("waits, since Java ends with it")
                                    .isTrue();
                        }
                        return method.invoke(host, given);
                    }));
            ProcessHost.endWithCommand(() -> {
                throw new ExceptionInInitializerError("a resource is missing");
            });
        }
    }
}
