package siemload.load.injector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.ServerAddress;
import siemload.run.ExitCode;
import siemload.run.LoadRun.Shard;
import siemload.run.RunHost;

@Timeout(90)
final class InjectorProcessTest {

    /** A connection has broken, and no end of it comes: nothing is said any more, and nobody takes what is said. */
    @Test
    @Tag("exhaustive")
    void whoHearsNothingForTwentySecondsEnds() throws Exception {
        CompletableFuture<ExitCode> ending = new CompletableFuture<>();
        PipedOutputStream coordinator = new PipedOutputStream();
        PipedInputStream input = new PipedInputStream(coordinator, 1 << 16);
        new Frame.Part("1", Map.of(), new Shard(0, 2), new ServerAddress("scripted:", "", ""), "store")
                .write(coordinator);
        long start = System.nanoTime();
        InjectorProcess unused =
                InjectorProcess.open(host(ending), input, new PipedOutputStream(new PipedInputStream(1)), "1");

        assertThat(ending.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.INTERRUPTED);
        assertThat((System.nanoTime() - start) / 1e9).isBetween(20.0, 60.0);
    }

    private static RunHost host(CompletableFuture<ExitCode> ending) {
        return (RunHost) Proxy.newProxyInstance(
                RunHost.class.getClassLoader(), new Class<?>[] {RunHost.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("exit")) {
                        ending.complete((ExitCode) arguments[0]);
                    }
                    return null;
                });
    }
}
