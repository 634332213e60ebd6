package siemload.load.injector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
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

    private final Place place = new Place();
    private final InjectorGroup group = new InjectorGroup(place, 3, () -> false);
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        group.close();
    }

    @Test
    void whatAllSayIsHeardUntilItIsDone() throws Exception {
        start();
        for (Channel injector : place.started) {
            injector.says(new Frame.Heartbeat());
            injector.says(new Frame.Ready(new ClockOffset(0, 0)));
        }

        assertThat(group.hearUntil(() -> heard.size() == 3, PATIENCE, "get ready", this::note))
                .isTrue();
        assertThat(heard).containsExactlyInAnyOrder("0 Ready", "1 Ready", "2 Ready");
    }

    @Test
    void oneThatEndsIsNamedWithWhatItSaidLast() throws Exception {
        start();
        place.started.get(1).diagnostics = "starting\nout of memory\n";
        place.started.get(1).ends(137);

        assertThatThrownBy(hearing())
                .isInstanceOf(InjectorFailure.class)
                .hasMessage(
                        "injector 2 of 3 (on some machine) has ended with exit code 137; it said last: out of memory");
    }

    @Test
    void oneThatFallsSilentIsNamedWithinTenSeconds() throws Exception {
        start();
        long start = System.nanoTime();

        assertThatThrownBy(() -> group.hearUntil(this::othersLive, PATIENCE, "end", this::note))
                .isInstanceOf(InjectorFailure.class)
                .hasMessageMatching("injector 2 of 3 [(]on some machine[)] has said nothing for [5-9][.]\\d s");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(5));
    }

    @Test
    void oneThatSaysNoFramesIsNamed() throws Exception {
        start();
        place.started.get(1).says("Exception in thread main\n");

        assertThatThrownBy(hearing())
                .hasMessageStartingWith("injector 2 of 3 (on some machine) cannot be understood: what it said is no"
                        + " frame: Exception in thread main");
    }

    @Test
    void oneThatCannotGoOnSaysWhyAndHowTheRunEnds() throws Exception {
        start();
        place.started.get(1).says(new Frame.Failed("no such store", ExitCode.TARGET_FAILED.number()));

        assertThatThrownBy(hearing())
                .hasMessage("injector 2 of 3 (on some machine) cannot go on: no such store")
                .isInstanceOfSatisfying(
                        InjectorFailure.class,
                        failure -> assertThat(failure.code()).isEqualTo(ExitCode.TARGET_FAILED));
    }

    @Test
    void oneThatCannotBeStartedEndsTheRunBeforeItBegins() {
        place.refused = 1;

        assertThatThrownBy(this::start)
                .isInstanceOf(InjectorFailure.class)
                .hasMessage("injector 2 of 3 (on some machine) cannot be started: no such program");
    }

    @Test
    void nobodyIsWaitedForForever() throws Exception {
        start();
        assertThatThrownBy(() -> group.hearUntil(() -> false, Duration.ofMillis(50), "get ready", this::note))
                .isInstanceOf(InjectorFailure.class)
                .hasMessage("the injectors did not get ready within 0 s");
    }

    @Test
    void theOthersAreToldToStopAndWhatTheyStillSayIsHeard() throws Exception {
        start();
        place.started.get(1).ends(1);
        assertThatThrownBy(hearing()).isInstanceOf(InjectorFailure.class);
        place.started.get(0).says(new Frame.Check());
        place.started.get(2).says(new Frame.Check());

        group.stop(() -> heard.size() == 2, PATIENCE, this::note);

        assertThat(heard).containsExactlyInAnyOrder("0 Check", "2 Check");
        for (int i : new int[] {0, 2}) {
            assertThat(place.started.get(i).hears()).isEqualTo(new Frame.Start(i));
            assertThat(place.started.get(i).hears()).isEqualTo(new Frame.Stop());
        }
    }

    @Test
    void atTheEndAllAreKilled() throws Exception {
        start();
        group.close();
        assertThat(place.started)
                .allSatisfy(channel -> assertThat(channel.killed).isTrue());
        assertThat(place.closed).isTrue();
    }

    private void start() throws InjectorFailure {
        group.start(Frame.Start::new);
    }

    private boolean othersLive() {
        try {
            place.started.get(0).says(new Frame.Heartbeat());
            place.started.get(2).says(new Frame.Heartbeat());
            return false;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private ThrowingCallable hearing() {
        return () -> group.hearUntil(() -> false, PATIENCE, "end", this::note);
    }

    private void note(int injector, Frame frame) {
        heard.add(injector + " " + frame.getClass().getSimpleName());
    }

    private static final class Place implements InjectorHost {
        private final List<Channel> started = new ArrayList<>();
        private int refused = -1;
        private boolean closed;

        @Override
        public String place() {
            return "some machine";
        }

        @Override
        public InjectorChannel start(int index) throws IOException {
            if (index == refused) {
                throw new IOException("no such program");
            }
            Channel channel = new Channel();
            started.add(channel);
            return channel;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** An injector that does what the test says. */
    private static final class Channel implements InjectorChannel {
        private final PipedOutputStream says = new PipedOutputStream();
        private final PipedInputStream output;
        private final PipedInputStream hears = new PipedInputStream(1 << 16);
        private final PipedOutputStream input;
        private final CompletableFuture<OptionalInt> exit = new CompletableFuture<>();
        private volatile String diagnostics = "";
        private volatile boolean killed;

        Channel() throws IOException {
            output = new PipedInputStream(says, 1 << 16);
            input = new PipedOutputStream(hears) {
                @Override
                public void close() throws IOException {
                    super.close();
                    exit.complete(OptionalInt.of(130));
                }
            };
        }

        void says(Frame frame) throws IOException {
            FrameLines.write(says, frame);
        }

        void says(String text) throws IOException {
            says.write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            says.flush();
        }

        Frame hears() throws IOException {
            return FrameLines.read(hears).orElseThrow();
        }

        void ends(int code) throws IOException {
            exit.complete(OptionalInt.of(code));
            says.close();
        }

        @Override
        public InputStream output() {
            return output;
        }

        @Override
        public OutputStream input() {
            return input;
        }

        @Override
        public String diagnostics() {
            return diagnostics;
        }

        @Override
        public CompletableFuture<OptionalInt> exit() {
            return exit;
        }

        @Override
        public void kill() {
            killed = true;
            exit.complete(OptionalInt.empty());
        }
    }
}
