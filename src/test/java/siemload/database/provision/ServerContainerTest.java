package siemload.database.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.database.DatasetLoad;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;
import siemload.database.Variant;
import siemload.database.registry.Holder;
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
            TargetPlugins.find("postgresql").orElseThrow();

    @TempDir
    private Path directory;

    private final List<String> lines = new CopyOnWriteArrayList<>();

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
    void whatAKilledRunLeftIsRemovedAndNothingElse() throws Exception {
        String here = Holder.ofThisProcess().text();
        String gone = here.replaceFirst(" \\d+ ", " 999999999 ");
        String user = ProcessHandle.current().info().user().orElseThrow();
        String left = left("left", "siemload.holder=" + gone, "siemload.user=" + user);
        List<String> others = List.of(
                left("running", "siemload.holder=" + here, "siemload.user=" + user),
                left("of-somebody", "siemload.holder=" + gone, "siemload.user=not-" + user),
                left("elsewhere", "siemload.holder=another-machine/1 1 1", "siemload.user=" + user),
                left("kept", "another=label"));
        try (ServerContainer container = container(TestImage.POSTGRESQL, MEMORY)) {
            container.start();

            assertThat(TestImage.containers()).doesNotContain(left).contains(others);
            assertThat(lines)
                    .containsExactly("removed the container " + left + ", which a run had left that was killed");
        } finally {
            TestImage.docker("rm", "--force", "--volumes", left);
            for (String other : others) {
                TestImage.docker("rm", "--force", "--volumes", other);
            }
        }
    }

    private static String left(String name, String... labels) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("create", "--name", "siemload-postgresql-test-" + name, "--label", "siemload=postgresql"));
        for (String label : labels) {
            command.addAll(List.of("--label", label));
        }
        command.add(TestImage.POSTGRESQL);
        TestImage.docker(command.toArray(String[]::new));
        return "siemload-postgresql-test-" + name;
    }

    @Test
    void moreThanDockerHasIsRefused() {
        assertFails(TestImage.POSTGRESQL, 1L << 44, "MB of memory", "-DcontainerMemory");
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
        ContainerRequest request =
                new ContainerRequest(Optional.of(TestImage.POSTGRESQL), MEMORY, 1.5, moreThanPostgresqlTakes, Map.of());
        try (ServerContainer container = Provisioner.container(POSTGRESQL, request, this)) {
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
        return Provisioner.container(POSTGRESQL, request(image, memory), this);
    }

    private ContainerRequest request(String image, long memory) {
        return new ContainerRequest(Optional.of(image), memory, 1.5, 20, Map.of());
    }

    private static TargetOptions options() {
        Variant variant = new Variant("mentat", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET);
        return new TargetOptions(variant, Duration.ofSeconds(20), 4);
    }

    private static long loadedAndFound(Target target) {
        EventSource tiny =
                Datasets.open(Path.of(""), "src/test/resources/datasets/tiny.yaml", Settings.of(SettingSources.NONE));
        DatasetKey key = new DatasetKey("00c0117ac7000002", "container", tiny.count());
        try (DatasetLoad load = target.load(key)) {
            tiny.read(1_000, load::write);
            load.finish(step -> {});
        }
        Search everything =
                new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Whole());
        try (Store store = target.copy(key, "container-test");
                SearchSession session = store.openSession()) {
            return session.search(everything, row -> {});
        }
    }

    @Override
    public void line(String text) {
        lines.add(text);
    }

    @Override
    public void status(String text) {}
}
