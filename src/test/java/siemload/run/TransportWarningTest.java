package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.TargetPlugin;
import siemload.database.Transport;
import siemload.database.Transport.Security;
import siemload.run.Bench.Opening;

/** The addresses are kept for documentation: no machine has them. */
class TransportWarningTest {
    private static final String ELSEWHERE = "jdbc:postgresql://198.51.100.7:5432/postgres";

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mongodb", "oracle", "opensearch"})
    void whoeverDoesNotEncryptIsToldHow(String id) {
        TargetPlugin plugin = TargetPlugin.find(id).orElseThrow();
        assertThat(Opening.transportWarning(Transport.PLAIN, ELSEWHERE, plugin).orElseThrow())
                .startsWith("warning: the connection to this server on another host is not encrypted")
                .contains(plugin.product().howToVerify(), "docs/security.md");
        assertThat(plugin.product().howToVerify()).contains("url");
    }

    @Test
    void encryptionWithWhoeverAnsweredIsWarnedOf() {
        assertThat(warned(Security.UNVERIFIED, ELSEWHERE)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"IN_PROCESS", "CERTIFICATE", "HOST_NAME"})
    void aVerifiedServerIsNotWarnedOf(Security security) {
        assertThat(warned(security, ELSEWHERE)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void aServerOnThisMachineIsNotWarnedOf(Security security) {
        assertThat(warned(security, "jdbc:postgresql://127.0.0.1:5432/postgres"))
                .isFalse();
    }

    private static boolean warned(Security security, String url) {
        TargetPlugin postgresql = TargetPlugin.find("postgresql").orElseThrow();
        return Opening.transportWarning(new Transport(security, "", ""), url, postgresql)
                .isPresent();
    }
}
