package siemload.load.injector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.run.ExitCode;

/** Three injectors, of which the second one fails in some way. */
@Timeout(60)
final class InjectorsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FakeInjectors place = new FakeInjectors();
    private final Injectors group = new Injectors(place, "on some machine", 3, () -> false);
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        group.close();
    }

    @Test
    void oneThatCannotGoOnSaysWhyAndHowTheRunEnds() throws Exception {
        start();
        place.started().get(1).says(new Frame.Failed("no such store", ExitCode.TARGET_FAILED.number()));

        assertThatThrownBy(hearing())
                .hasMessage("injector 2 of 3 (on some machine) cannot go on: no such store")
                .isInstanceOfSatisfying(
                        Injectors.Failure.class,
                        failure -> assertThat(failure.code()).isEqualTo(ExitCode.TARGET_FAILED));
    }

    /** A command that reaches it elsewhere may end some time after the connection has. */
    @Test
    void theFirstThatIsLostIsNamedAlsoWhereTheReasonComesAfterTheLossOfAnother() throws Exception {
        start();
        CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(() -> catchThrowable(hearing()));
        FakeInjector first = place.started().get(1);
        first.falls();
        assertThat(first.isAskedForItsFate()).isTrue();
        place.started().get(0).ends(143);
        first.isSaidToHaveEnded(137);

        assertThat(failure.get(30, TimeUnit.SECONDS))
                .hasMessage("injector 2 of 3 (on some machine) has ended with exit code 137");
    }

    @Test
    void theOthersAreToldToStopAndWhatTheyStillSayIsHeard() throws Exception {
        start();
        place.started().get(1).ends(1);
        assertThatThrownBy(hearing()).isInstanceOf(Injectors.Failure.class);
        place.started().get(0).says(new Frame.Check());
        place.started().get(2).says(new Frame.Check());

        long start = System.nanoTime();
        group.stop(Frame.Check.class, PATIENCE);

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("nobody waits for the one that is gone")
                .isLessThan(PATIENCE);

        assertThat(heard).containsExactlyInAnyOrder("0 Check", "2 Check");
        for (int i : new int[] {0, 2}) {
            assertThat(place.started().get(i).hears()).isEqualTo(new Frame.Start(i));
            assertThat(place.started().get(i).hears()).isEqualTo(new Frame.Stop());
        }
    }

    private void start() throws Injectors.Failure {
        group.onFrame(this::note);
        group.start(Frame.Start::new);
    }

    private ThrowingCallable hearing() {
        return () -> group.hearUntil(Frame.Ended.class, PATIENCE, "end");
    }

    private void note(int injector, Frame frame) {
        heard.add(injector + " " + frame.getClass().getSimpleName());
    }
}
