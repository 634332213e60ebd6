package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.database.DatasetKey;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.provision.ProvidedServer;
import siemload.database.provision.ServerCaches;

final class DatasetLoadingTest {
    private static final TargetException LOST = new TargetException("the connection is lost. Check host and port");

    @TempDir
    private Path cache;

    @Test
    void whyTheServerHasEndedIsToldInThePlaceOfALostConnection() {
        assertThatThrownBy(() -> load(Provision.EMBEDDED, "", "", "FATAL: no space"))
                .isInstanceOf(TargetException.class)
                .hasMessage("tiny is not loaded, since the server has ended by itself: FATAL: no space")
                .hasCause(LOST);
    }

    @Test
    void whileItRunsTheFailureIsTold() {
        assertThatThrownBy(() -> load(Provision.EXTERNAL, "")).isSameAs(LOST);
        assertThatThrownBy(() -> load(Provision.EMBEDDED, "")).isSameAs(LOST);
    }

    /** @param causes of the server's end, one look after another; the last one is that of all further looks */
    private void load(Provision provision, String... causes) {
        Deque<String> looks = new ArrayDeque<>(List.of(causes));
        RunPlan plan = RunPlan.read(
                Settings.of(new SettingSources(
                        Map.of(),
                        Map.of(
                                "dataset",
                                "src/test/resources/datasets/tiny.yaml",
                                "target",
                                "memory",
                                "cache",
                                cache.toString()),
                        Map.of())),
                Path.of(""));
        DatasetKey key = DatasetKeys.of(plan, "1");
        ProvidedServer server = new ProvidedServer(
                provision,
                new ServerAddress("", "", ""),
                Map.of(),
                OptionalLong::empty,
                ServerCaches.none("not here"),
                () -> looks.size() == 1 ? looks.element() : looks.remove(),
                () -> {});
        assertThat(new DatasetLoading(new QuietHost(new ArrayList<>()), plan).load(lost(), key, server))
                .isNull();
    }

    /** Holds nothing, and can load nothing. */
    private static Target lost() {
        return (Target) Proxy.newProxyInstance(
                Target.class.getClassLoader(), new Class<?>[] {Target.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("load")) {
                        throw LOST;
                    }
                    return false;
                });
    }
}
