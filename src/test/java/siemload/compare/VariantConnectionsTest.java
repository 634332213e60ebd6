package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.compare.ExperimentPlan.VariantConnections;
import siemload.config.Origin;
import siemload.config.Secrets;

class VariantConnectionsTest {
    private static final List<String> NAMES = List.of("ours", "theirs-2");
    private static final String URL = "jdbc:postgresql://db1/postgres";

    @Test
    void eachVariantHasItsOwnUserAndPasswordAndNoneOfTheOther() {
        VariantConnections connections = of(
                Map.of("url.ours", URL),
                Map.of(
                        "PATH", "/bin",
                        "SIEMLOAD_USER_OURS", "me",
                        "SIEMLOAD_PASSWORD_OURS", "one",
                        "SIEMLOAD_URL_THEIRS_2", "jdbc:postgresql://db2/postgres",
                        "SIEMLOAD_PASSWORD_THEIRS_2", "two"));

        assertThat(connections.environment("ours"))
                .isEqualTo(
                        Map.of("PATH", "/bin", "SIEMLOAD_URL", URL, "SIEMLOAD_USER", "me", "SIEMLOAD_PASSWORD", "one"));
        assertThat(connections.environment("theirs-2"))
                .isEqualTo(Map.of(
                        "PATH", "/bin", "SIEMLOAD_URL", "jdbc:postgresql://db2/postgres", "SIEMLOAD_PASSWORD", "two"));
        assertThat(connections.url("theirs-2").orElseThrow().origin())
                .isEqualTo(new Origin.Environment("SIEMLOAD_URL_THEIRS_2"));
    }

    @Test
    void aPasswordForAllDoesNotReachAServerOfOne() {
        Map<String, String> environment = Map.of("SIEMLOAD_URL", URL, "SIEMLOAD_PASSWORD", "one");

        VariantConnections connections = new VariantConnections(
                NAMES, Map.of("url.ours", "jdbc:postgresql://db2/postgres"), environment, Optional.of(URL));

        assertThat(connections.environment("ours")).isEqualTo(Map.of("SIEMLOAD_URL", "jdbc:postgresql://db2/postgres"));
        assertThat(connections.environment("theirs-2")).isEqualTo(environment);
        Map<String, String> options = Map.of("url.ours", URL, "url.theirs-2", "jdbc:postgresql://db2/postgres");
        assertThat(of(options, Map.of("SIEMLOAD_PASSWORD", "one")).environment("ours"))
                .as("of two servers")
                .isEqualTo(Map.of("SIEMLOAD_URL", URL));
    }

    @Test
    void aUserWithoutAUrlIsRefusedWhereAnotherVariantHasOne() {
        VariantConnections connections = of(Map.of("url.theirs-2", URL), Map.of("SIEMLOAD_PASSWORD_OURS", "geheim1"));

        assertThat(connections.environment("theirs-2")).isNotEmpty();
        assertThatThrownBy(() -> connections.environment("ours"))
                .hasMessage("--url.ours: is missing, although SIEMLOAD_PASSWORD_OURS is set (give the url, or set"
                        + " SIEMLOAD_URL_OURS)");
    }

    @Test
    void aUrlWithAPasswordIsRefusedWhereItStands() {
        assertThatThrownBy(() -> of(Map.of(), Map.of("SIEMLOAD_URL_OURS", URL + "?password=geheim1"))
                        .environment("ours"))
                .hasMessageStartingWith("SIEMLOAD_URL_OURS: has options, and option 1")
                .hasMessageNotContaining("geheim1");
    }

    @Test
    void itsTextShowsNoValue() {
        VariantConnections connections = of(Map.of("url.ours", URL), Map.of("SIEMLOAD_PASSWORD_OURS", "geheim1"));

        assertThat(connections.environment("ours")).hasSize(2);
        assertThat(connections).hasToString("VariantConnections[ours, theirs-2]");
        assertThat(Secrets.masked("is it geheim1?")).isEqualTo("is it ***?");
    }

    private static VariantConnections of(Map<String, String> options, Map<String, String> environment) {
        return new VariantConnections(NAMES, options, environment, Optional.empty());
    }
}
