package siemload.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.TargetPlugin.ContainerServer;
import siemload.database.TargetPlugin.ContainerServer.ContainerOptions;

class ContainerServerTest {
    private static final ContainerOptions OPTIONS = new ContainerOptions(2L << 30, 2, 50, Map.of());

    static List<TargetPlugin> plugins() {
        return TargetPlugin.all();
    }

    @ParameterizedTest
    @MethodSource("plugins")
    void whoeverOffersAContainerSaysHowItRuns(TargetPlugin plugin) {
        Optional<ContainerServer> server = plugin.container(OPTIONS);

        assertThat(server.isPresent()).isEqualTo(plugin.abilities().provisions().contains(Provision.CONTAINER));
        server.ifPresent(found -> {
            String password = found.address().password();
            assertThat(found.image()).as("an image with a tag").contains(":");
            assertThat(found.at("docker.example", 32_768).url())
                    .contains("docker.example", "32768")
                    .doesNotContain("{", "}");
            assertThat(found.environment().containsValue(password))
                    .as("has the password, unless it knows no users")
                    .isEqualTo(!found.address().user().isEmpty());
            assertThat(password.isEmpty() || !(found.command() + found.toString() + found.address()).contains(password))
                    .isTrue();
        });
    }

    @Test
    void postgresqlInAContainerIsSetUpAsTheEmbeddedOne() {
        ContainerServer server =
                TargetPlugin.find("postgresql").orElseThrow().container(OPTIONS).orElseThrow();

        assertThat(server.command())
                .contains("shared_buffers=512MB", "max_connections=100", "fsync=on", "timezone=UTC")
                .noneMatch(argument -> argument.startsWith("port") || argument.startsWith("listen_addresses"));
    }
}
