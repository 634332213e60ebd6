package siemload.load.injector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.measure.ClockOffset;
import siemload.run.ExitCode;

/** Three injectors, of which the second one fails in some way. */
@Timeout(60)
final class InjectorGroupTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FakeInjectors place = new FakeInjectors();
    private final InjectorGroup group = new InjectorGroup(place, 3, () -> false);
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        group.close();
    }

    @Test
    void whatAllSayIsHeardUntilItIsDone() throws Exception {
        start();
        for (FakeInjector injector : place.started()) {
            injector.says(new Frame.Heartbeat());
            injector.says(new Frame.Ready(new ClockOffset(0, 0), "? 1 0"));
        }

        assertThat(group.hearUntil(injector -> heard.size() == 3, PATIENCE, "get ready", this::note))
                .isTrue();
        assertThat(heard).containsExactlyInAnyOrder("0 Ready", "1 Ready", "2 Ready");
    }

    @Test
    void oneThatEndsIsNamedWithWhatItSaidLast() throws Exception {
        start();
        place.started().get(1).saysToPeople("starting\nout of memory\n");
        place.started().get(1).ends(137);

        assertThatThrownBy(hearing())
                .isInstanceOf(InjectorFailure.class)
                .hasMessage(
                        "injector 2 of 3 (on some machine) has ended with exit code 137; it said last: out of memory");
    }

    @Test
    void oneThatFallsSilentIsNamedWithinTenSeconds() throws Exception {
        long start = System.nanoTime();
        start();

        assertThatThrownBy(() -> group.hearUntil(injector -> othersLive(), PATIENCE, "end", this::note))
                .isInstanceOf(InjectorFailure.class)
                .hasMessageMatching("injector 2 of 3 [(]on some machine[)] has said nothing for [5-9][.]\\d s");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(5));
    }

    @Test
    void oneThatSaysNoFramesIsNamed() throws Exception {
        start();
        place.started().get(1).says("Exception in thread main\n");

        assertThatThrownBy(hearing())
                .hasMessageStartingWith("injector 2 of 3 (on some machine) cannot be understood: what it said is no"
                        + " frame: Exception in thread main");
    }

    @Test
    void oneThatCannotGoOnSaysWhyAndHowTheRunEnds() throws Exception {
        start();
        place.started().get(1).says(new Frame.Failed("no such store", ExitCode.TARGET_FAILED.number()));

        assertThatThrownBy(hearing())
                .hasMessage("injector 2 of 3 (on some machine) cannot go on: no such store")
                .isInstanceOfSatisfying(
                        InjectorFailure.class,
                        failure -> assertThat(failure.code()).isEqualTo(ExitCode.TARGET_FAILED));
    }

    @Test
    void oneThatCannotBeStartedEndsTheRunBeforeItBegins() {
        place.refuse(1);

        assertThatThrownBy(this::start)
                .isInstanceOf(InjectorFailure.class)
                .hasMessage("injector 2 of 3 (on some machine) cannot be started: no such program");
    }

    @Test
    void oneThatNeverComesToRunIsNamedWithTheReason() throws Exception {
        place.neverRuns(1);
        start();

        assertThatThrownBy(hearing()).hasMessage("injector 2 of 3 (on some machine) does not come to run: no image");
    }

    /** A cluster that has lost one ends the others, and says only later why it lost the first. */
    @Test
    void theFirstThatIsLostIsNamedAlsoWhereTheReasonComesAfterTheLossOfAnother() throws Exception {
        start();
        CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(() -> catchThrowable(hearing()));
        FakeInjector first = place.started().get(1);
        first.falls();
        assertThat(first.isAskedForItsFate()).isTrue();
        place.started().get(0).ends(143);
        first.isSaidTo("has ended with exit code 137 (OOMKilled)");

        assertThat(failure.get(30, TimeUnit.SECONDS))
                .hasMessage("injector 2 of 3 (on some machine) has ended with exit code 137 (OOMKilled)");
    }

    @Test
    void whoIsCoordinatedHearsEverySecondThatSomebodyIsThere() throws Exception {
        start();
        InputStream heard = place.started().get(0).heard();

        assertThat(FrameLines.read(heard)).contains(new Frame.Start(0));
        assertThat(FrameLines.read(heard)).contains(new Frame.Heartbeat());
        assertThat(FrameLines.read(heard)).contains(new Frame.Heartbeat());
    }

    @Test
    void nobodyIsWaitedForForever() throws Exception {
        start();
        assertThatThrownBy(() ->
                        group.hearUntil(injector -> injector != 1, Duration.ofMillis(50), "get ready", this::note))
                .isInstanceOf(InjectorFailure.class)
                .hasMessage("injector 2 of 3 (on some machine) did not get ready within 0.1 s");
    }

    @Test
    void theOthersAreToldToStopAndWhatTheyStillSayIsHeard() throws Exception {
        start();
        place.started().get(1).ends(1);
        assertThatThrownBy(hearing()).isInstanceOf(InjectorFailure.class);
        place.started().get(0).says(new Frame.Check());
        place.started().get(2).says(new Frame.Check());

        long start = System.nanoTime();
        group.stop(injector -> heard.contains(injector + " Check"), PATIENCE, this::note);

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("nobody waits for the one that is gone")
                .isLessThan(PATIENCE);

        assertThat(heard).containsExactlyInAnyOrder("0 Check", "2 Check");
        for (int i : new int[] {0, 2}) {
            assertThat(place.started().get(i).hears()).isEqualTo(new Frame.Start(i));
            assertThat(place.started().get(i).hears()).isEqualTo(new Frame.Stop());
        }
    }

    @Test
    void atTheEndAllAreKilled() throws Exception {
        start();
        group.close();
        assertThat(place.started()).allMatch(FakeInjector::isKilled);
        assertThat(place.isClosed()).isTrue();
    }

    private void start() throws InjectorFailure {
        group.start(Frame.Start::new);
    }

    private boolean othersLive() {
        place.started().get(0).says(new Frame.Heartbeat());
        place.started().get(2).says(new Frame.Heartbeat());
        return false;
    }

    private ThrowingCallable hearing() {
        return () -> group.hearUntil(injector -> false, PATIENCE, "end", this::note);
    }

    private void note(int injector, Frame frame) {
        heard.add(injector + " " + frame.getClass().getSimpleName());
    }
}
