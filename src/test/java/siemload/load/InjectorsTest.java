package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.ServerAddress;
import siemload.load.InjectedLoad.InjectorProcess;
import siemload.load.Injectors.Frame;
import siemload.measure.ClockOffset;
import siemload.run.ExitCode;
import siemload.run.LoadRun.Shard;
import siemload.run.RunHost;

@Timeout(90)
@Tag("every-java")
final class InjectorsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<FakeInjector> started = new CopyOnWriteArrayList<>();
    private final Injectors group = new Injectors("on some machine", 3, () -> false);

    @AfterEach
    void end() {
        group.close();
    }

    @Test
    void oneThatCannotGoOnSaysWhyAndHowTheRunEnds() throws Exception {
        start();
        started.get(1).says(new Frame.Failed("no such store", ExitCode.TARGET_FAILED));

        assertThatThrownBy(hearing())
                .hasMessage("injector 2 of 3 (on some machine) cannot go on: no such store")
                .isInstanceOfSatisfying(
                        Injectors.Failure.class,
                        failure -> assertThat(failure.code).isEqualTo(ExitCode.TARGET_FAILED));
    }

    /** A command that reaches it elsewhere may end some time after the connection has. */
    @Test
    void theFirstThatIsLostIsNamedAlsoWhereTheReasonComesAfterTheLossOfAnother() throws Exception {
        start();
        CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(() -> catchThrowable(hearing()));
        FakeInjector first = started.get(1);
        first.falls();
        assertThat(first.isAskedForItsFate()).isTrue();
        started.get(0).ends(143);
        first.isSaidToHaveEnded(137);

        assertThat(failure.get(30, TimeUnit.SECONDS))
                .hasMessage("injector 2 of 3 (on some machine) has ended with exit code 137");
    }

    /** It may be stopped, have no CPU, or be told too late. */
    @Test
    void aStartOnWhichOneHasNotAgreedIsCalledOffBeforeIt() throws Exception {
        start();
        for (FakeInjector injector : started) {
            injector.says(new Frame.Ready(new ClockOffset(2_000, 5)));
        }
        group.hearUntil(Frame.Ready.class, PATIENCE, "get ready");
        started.get(0).says(new Frame.Agreed());
        started.get(2).says(new Frame.Agreed());

        assertThatThrownBy(() -> InjectedLoad.agree(group, new ClockOffset(1_000, 0)))
                .isInstanceOf(Injectors.Failure.class)
                .as("0.3 s of the 2 are left to tell the others that nothing comes of it")
                .hasMessage("injector 2 of 3 (on some machine) did not agree to the start within 1.7 s");
    }

    /** A connection has broken, and no end of it comes: nothing is said any more, and nobody takes what is said. */
    @Test
    @Tag("exhaustive")
    void whoHearsNothingForTwentySecondsEnds() throws Exception {
        CompletableFuture<ExitCode> ending = new CompletableFuture<>();
        PipedOutputStream coordinator = new PipedOutputStream();
        PipedInputStream input = new PipedInputStream(coordinator, 1 << 16);
        coordinator.write(
                new Frame.Part("1", Map.of(), new Shard(0, 2), new ServerAddress("scripted:", "", ""), "store").line());
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

    private void start() {
        group.start(FakeInjector.into(started), Frame.Start::new);
    }

    private ThrowingCallable hearing() {
        return () -> group.hearUntil(Frame.Ended.class, PATIENCE, "end");
    }
}
