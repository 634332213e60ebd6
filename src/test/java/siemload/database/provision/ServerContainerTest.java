package siemload.database.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.database.ContainerServer.ContainerOptions;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.Variant;
import siemload.database.provision.ProvidedServer.Listener;
import siemload.dataset.Datasets;
import siemload.dataset.EventSource;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

@Tag("container")
@Timeout(120)
class ServerContainerTest implements Listener {
    private static final long MEMORY = 512L << 20;
    private static final TargetPlugin POSTGRESQL =
            TargetPlugin.find("postgresql").orElseThrow();

    @TempDir
    private Path directory;

    @BeforeAll
    static void requireImage() throws IOException, InterruptedException {
        TestImage.require(TestImage.POSTGRESQL, "postgresql-container");
    }

    @AfterEach
    void nothingIsLeftRunning() throws IOException, InterruptedException {
        assertThat(TestImage.containers()).isEmpty();
    }

    @Test
    void aDataSetIsLoadedSearchedAndGoneWithTheContainer() throws Exception {
        try (ServerContainer container = container(TestImage.POSTGRESQL, MEMORY)) {
            ProvidedServer server = container.start();

            assertThat(TestImage.containers()).startsWith("siemload-postgresql-");
            assertThat(server.container())
                    .containsEntry("image", TestImage.POSTGRESQL)
                    .containsEntry("memory", "512m")
                    .containsEntry("cpus", "1.5")
                    .hasEntrySatisfying("imageId", id -> assertThat(id).startsWith("sha256:"));
            assertThat(server.toString() + container)
                    .doesNotContain(server.address().password());
            try (Target target = POSTGRESQL.connect(server.address(), options())) {
                assertThat(target.settings()).containsEntry("shared_buffers", "128MB");
                assertThat(loadedAndFound(target)).isEqualTo(2_000);
            }
        }
        assertThat(TestImage.containers()).isEmpty();
    }

    @Test
    void theServerIsReachedFromHereAloneAndGainsNoRights() throws Exception {
        try (ServerContainer container = container(TestImage.POSTGRESQL, MEMORY)) {
            container.start();

            String limits = "{{.HostConfig.SecurityOpt}} {{.HostConfig.CapDrop}} {{.HostConfig.CapAdd}}"
                    + " {{.HostConfig.PidsLimit}} {{range .NetworkSettings.Ports}}{{range .}}{{.HostIp}}{{end}}{{end}}";
            assertThat(TestImage.docker("inspect", "--format", limits, TestImage.containers()))
                    .matches("\\[no-new-privileges] \\[(CAP_)?ALL] \\[(CAP_)?CHOWN (CAP_)?DAC_OVERRIDE (CAP_)?FOWNER"
                            + " (CAP_)?SETGID (CAP_)?SETUID] 1104 127\\.0\\.0\\.1");
        }
    }

    @Test
    void anImageThatCannotBePulledIsNamedWithWhatToDo() {
        assertFails(
                "registry.invalid:5000/siem/postgresql:15",
                MEMORY,
                "registry.invalid:5000/siem/postgresql:15",
                "-Dimage=");
    }

    @Test
    void aServerThatEndsByItselfIsQuotedFromItsLog() {
        int moreThanPostgresqlTakes = 1_000_000;
        ContainerOptions options = new ContainerOptions(MEMORY, 1.5, moreThanPostgresqlTakes, Map.of());
        try (ServerContainer container =
                new ServerContainer(POSTGRESQL, Optional.of(TestImage.POSTGRESQL), options, this)) {
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(container::start)
                    .withMessageContainingAll("exit code 1", "max_connections");
        }
    }

    private void assertFails(String image, long memory, String... parts) {
        try (ServerContainer container = container(image, memory)) {
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(container::start)
                    .satisfies(e -> assertThat(e.getMessage()).contains(parts));
        }
    }

    private ServerContainer container(String image, long memory) {
        ContainerOptions options = new ContainerOptions(memory, 1.5, 20, Map.of());
        return new ServerContainer(POSTGRESQL, Optional.of(image), options, this);
    }

    private static TargetOptions options() {
        Variant variant = new Variant("mentat", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET);
        return new TargetOptions(variant, Duration.ofSeconds(20), 4);
    }

    private static long loadedAndFound(Target target) {
        Settings settings = Settings.of(new SettingSources(Map.of(), Map.of(), Map.of()));
        EventSource tiny = Datasets.open(Path.of(""), "src/test/resources/datasets/tiny.yaml", settings, text -> {});
        DatasetKey key = new DatasetKey("00c0117ac7000002", "container", tiny.count());
        target.load(key, load -> tiny.read(1_000, load::write), step -> {});
        Search everything =
                new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Whole());
        try (Store store = target.copy(key, "container-test");
                SearchSession session = store.openSession()) {
            return session.search(everything, row -> {});
        }
    }

    @Override
    public void line(String text) {}

    @Override
    public void status(String text) {}
}
