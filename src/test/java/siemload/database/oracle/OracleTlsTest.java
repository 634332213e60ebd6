package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.ServerAddress;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TestCertificates;
import siemload.database.TlsSocket;
import siemload.database.Variant;
import siemload.query.Paging;

/** What Oracle's own driver does before it says who it is, to a port whose certificate is for {@code localhost} alone. */
final class OracleTlsTest {
    private static final TargetOptions OPTIONS = new TargetOptions(
            new Variant("arc_event", Partitions.DAY, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET),
            Duration.ofSeconds(1),
            1);

    private final Properties before = (Properties) System.getProperties().clone();

    @BeforeEach
    void trustTheRoot() {
        System.setProperty(
                "javax.net.ssl.trustStore", TestCertificates.get().trustStore().toString());
        System.setProperty(
                "javax.net.ssl.trustStorePassword", TestCertificates.get().password());
    }

    @AfterEach
    void restoreTrust() {
        System.setProperties(before);
    }

    @Test
    void aCertificateForAnotherHostIsRefusedBeforeAnythingIsSent() throws Exception {
        try (TlsSocket socket = TlsSocket.encrypted()) {
            assertRefused("127.0.0.1", socket, "\"127.0.0.1\" does not match");
            assertThat(socket.told().text()).isEmpty();
        }
    }

    @Test
    void aCertificateOfAnUnknownAuthorityIsRefusedBeforeAnythingIsSent() throws Exception {
        System.clearProperty("javax.net.ssl.trustStore");
        System.clearProperty("javax.net.ssl.trustStorePassword");
        try (TlsSocket socket = TlsSocket.encrypted()) {
            assertRefused("localhost", socket, "unable to find valid certification path");
            assertThat(socket.told().text()).isEmpty();
        }
    }

    private static void assertRefused(String host, TlsSocket socket, String message) {
        String url = "jdbc:oracle:thin:@tcps://" + host + ":" + socket.port() + "/FREEPDB1";
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> new OraclePlugin().connect(new ServerAddress(url, "analyst", "sesame-open"), OPTIONS))
                .satisfies(e -> assertThat(e.getMessage()).contains(message).doesNotContain("sesame-open"));
    }
}
