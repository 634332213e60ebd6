package siemload.database.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.ContainerServer.ContainerOptions;
import siemload.database.provision.ProvidedServer.ServerContainer;

@Tag("container")
@Timeout(120)
class ServerContainerTest {
    private static final long MEMORY = 512L << 20;
    private static final TargetPlugin POSTGRESQL =
            TargetPlugin.find("postgresql").orElseThrow();

    @BeforeAll
    static void requireImage() throws IOException, InterruptedException {
        TestImage.require(TestImage.POSTGRESQL, "postgresql-container");
    }

    @AfterEach
    void nothingIsLeftRunning() throws IOException, InterruptedException {
        assertThat(TestImage.containers()).isEmpty();
    }

    @Test
    void theServerIsReachedFromHereAloneGainsNoRightsAndIsGoneWithItsContainer() throws Exception {
        try (ServerContainer container = container(TestImage.POSTGRESQL, MEMORY)) {
            ProvidedServer server = container.start();

            assertThat(TestImage.containers()).startsWith("siemload-postgresql-");
            assertThat(server.container())
                    .containsEntry("memory", "512m")
                    .containsEntry("cpus", "1.5")
                    .hasEntrySatisfying("imageId", id -> assertThat(id).startsWith("sha256:"));
            assertThat(server.toString() + container)
                    .doesNotContain(server.address().password());
            String limits = "{{.HostConfig.SecurityOpt}} {{.HostConfig.CapDrop}} {{.HostConfig.CapAdd}}"
                    + " {{.HostConfig.PidsLimit}} {{range .NetworkSettings.Ports}}{{range .}}{{.HostIp}}{{end}}{{end}}";
            assertThat(TestImage.docker("inspect", "--format", limits, TestImage.containers()))
                    .matches("\\[no-new-privileges] \\[(CAP_)?ALL] \\[(CAP_)?CHOWN (CAP_)?DAC_OVERRIDE (CAP_)?FOWNER"
                            + " (CAP_)?SETGID (CAP_)?SETUID] 1104 127\\.0\\.0\\.1");
        }
        assertThat(TestImage.containers()).isEmpty();
    }

    @Test
    void anImageThatCannotBePulledIsNamedWithWhatToDo() {
        String image = "registry.invalid:5000/siem/postgresql:15";
        try (ServerContainer container = container(image, MEMORY)) {
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(container::start)
                    .withMessageContainingAll(image, "-Dimage=");
        }
    }

    @Test
    void aServerThatEndsByItselfIsQuotedFromItsLog() {
        int moreThanPostgresqlTakes = 1_000_000;
        ContainerOptions options = new ContainerOptions(MEMORY, 1.5, moreThanPostgresqlTakes, Map.of());
        try (ServerContainer container =
                new ServerContainer(POSTGRESQL, Optional.of(TestImage.POSTGRESQL), options, RealServer.SILENT)) {
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(container::start)
                    .withMessageContainingAll("exit code 1", "max_connections");
        }
    }

    private ServerContainer container(String image, long memory) {
        ContainerOptions options = new ContainerOptions(memory, 1.5, 20, Map.of());
        return new ServerContainer(POSTGRESQL, Optional.of(image), options, RealServer.SILENT);
    }
}
