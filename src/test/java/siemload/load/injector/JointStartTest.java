package siemload.load.injector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.ServerAddress;
import siemload.measure.ClockOffset;
import siemload.run.LoadRun.Shard;

/** Three injectors that are about to begin, of which the second one may fail. */
@Timeout(60)
final class JointStartTest {
    private static final ClockOffset HERE = new ClockOffset(1_000, 0);

    private final FakeInjectors place = new FakeInjectors();
    private final Injectors group = new Injectors(place, "on some machine", 3, () -> false);

    @AfterEach
    void end() {
        group.close();
    }

    @Test
    void allBeginAtOneInstantAheadOnWhichTheyHaveAgreed() throws Exception {
        ready();
        for (FakeInjector injector : place.started()) {
            injector.says(new Frame.Agreed());
        }

        long before = System.nanoTime();
        OptionalLong agreed = InjectedLoad.agree(group, HERE);

        assertThat(HERE.nanos(agreed.orElseThrow())).isGreaterThan(before);
        for (FakeInjector injector : place.started()) {
            assertThat(injector.hears()).isInstanceOf(Frame.Part.class);
            assertThat(injector.hears()).isEqualTo(new Frame.Start(agreed.orElseThrow()));
        }
    }

    /** It may be stopped, have no CPU, or be told too late. */
    @Test
    void aStartOnWhichOneHasNotAgreedIsCalledOffBeforeIt() throws Exception {
        ready();
        place.started().get(0).says(new Frame.Agreed());
        place.started().get(2).says(new Frame.Agreed());

        assertThatThrownBy(() -> InjectedLoad.agree(group, HERE))
                .isInstanceOf(Injectors.Failure.class)
                .as("0.3 s of the 2 are left to tell the others that nothing comes of it")
                .hasMessage("injector 2 of 3 (on some machine) did not agree to the start within 1.7 s");
    }

    private void ready() throws Exception {
        group.start(JointStartTest::part);
        for (FakeInjector injector : place.started()) {
            injector.says(new Frame.Ready(new ClockOffset(2_000, 5)));
        }
        assertThat(group.hearUntil(Frame.Ready.class, InjectedLoad.PREPARATION, "get ready"))
                .isTrue();
    }

    private static Frame part(int shard) {
        return new Frame.Part(
                "1.0", Map.of(), new Shard(shard, 3), new ServerAddress("jdbc:x", "me", "secret"), "store");
    }
}
