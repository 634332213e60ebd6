package siemload.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.database.TargetPlugin.ContainerServer;
import siemload.database.TargetPlugin.ContainerServer.ContainerOptions;

class ContainerServerTest {
    @Test
    void postgresqlInAContainerIsSetUpAsTheEmbeddedOne() {
        ContainerServer server = TargetPlugin.find("postgresql")
                .orElseThrow()
                .container(new ContainerOptions(2L << 30, 2, 50, Map.of()))
                .orElseThrow();
        String password = server.address().password();

        assertThat(server.at("docker.example", 32_768).url())
                .isEqualTo("jdbc:postgresql://docker.example:32768/postgres");
        assertThat(server.environment()).containsValue(password);
        assertThat(server.command() + server.toString() + server.address()).doesNotContain(password);
        assertThat(server.command())
                .contains("shared_buffers=512MB", "max_connections=100", "fsync=on", "timezone=UTC")
                .noneMatch(argument -> argument.startsWith("port") || argument.startsWith("listen_addresses"));
    }
}
