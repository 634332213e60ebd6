package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.SettingSources;
import siemload.config.Settings;

class ThreadSchedulingTest {

    @BeforeEach
    void onlyLinuxTells() {
        assumeTrue(Files.isReadable(ThreadPolicy.FILE), "there is no " + ThreadPolicy.FILE);
    }

    @Test
    void aUserEitherMayOrIsToldWhatToDo() {
        if (ThreadPolicy.mayBeRealTime()) {
            assertThat(ThreadScheduling.of(plan(Map.of()).settings())).isEqualTo(ThreadScheduling.REAL_TIME);
        } else {
            assertThatThrownBy(() -> plan(Map.of()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("realTime")
                    .hasMessageContaining("this user may not")
                    .hasMessageContaining("ulimit -r 1")
                    .hasMessageContaining("(leave it out)");
        }
    }

    @Test
    void whatSuchAThreadStartsIsFairAgain() {
        assumeTrue(ThreadPolicy.mayBeRealTime(), "this user may not");
        assertThat(ThreadPolicy.onThread(() -> {
                    ThreadScheduling.REAL_TIME.applyToThisThread();
                    return ThreadPolicy.here() + " then " + ThreadPolicy.onThread(ThreadPolicy::here);
                }))
                .isEqualTo(ThreadPolicy.ROUND_ROBIN + " then " + ThreadPolicy.FAIR);
    }

    @Test
    void aThreadIsAsItWasWhereNobodyAskedForMore() {
        assertThat(ThreadPolicy.onThread(() -> {
                    ThreadScheduling.of(plan(Map.of("realTime", "false")).settings())
                            .applyToThisThread();
                    return ThreadPolicy.here();
                }))
                .isEqualTo(ThreadPolicy.here());
    }

    @Test
    void aProcedureAndPodsAreRefused() {
        assertThatThrownBy(() -> plan(Map.of("scenario", "audit")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "scenario audit is a procedure, in which nothing is due by the clock (leave it out)");
        assertThatThrownBy(() -> plan(
                        Map.of("scenario", "arrivals", "on", "kubernetes", "injectors", "2", "target", "scripted")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("pods have no right to threads that go before those of others (leave it out)");
    }

    @Test
    void aFileThatIsHandedAroundCannotAskForIt() {
        assertThat(Property.REAL_TIME.isOnlyForUsers()).isTrue();
    }

    private static RunPlan plan(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(Map.of("scenario", "detections", "realTime", "true"));
        all.putAll(properties);
        return RunPlan.read(Settings.of(new SettingSources(Map.of(), all, Map.of())), Path.of(""));
    }
}
