package siemload.load.injector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.run.RunPlan;

@Timeout(60)
final class InjectedDatasetTest {
    private final FakeInjectors place = new FakeInjectors();
    private final List<String> told = new ArrayList<>();

    @Test
    void whyALoadEndsIsToldBeforeTheOthersAreWaitedFor() {
        place.refuse(1);
        RunPlan plan = new FakeRun(Map.of("injectors", "3", "users", "3")).plan();
        ServerAddress server = new ServerAddress("jdbc:x", "me", "secret");
        InjectedDataset loaders = new InjectedDataset(unused -> place, "1.0", why -> {
            assertThat(place.isClosed()).isFalse();
            told.add(why);
        });

        assertThatThrownBy(() -> loaders.load(plan, server, "store", events -> {}))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining(
                        "is not loaded: injector 2 of 3 (on some machine) cannot be started: no such program");

        assertThat(told).containsExactly("injector 2 of 3 (on some machine) cannot be started: no such program");
        assertThat(place.isClosed()).isTrue();
    }
}
