package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.EmbeddedServer;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TestCertificates;
import siemload.database.Transport.Security;

/** The stand-in with a certificate for {@code localhost} alone. */
final class MongodbTlsTest {
    private static final String SOON = "&serverSelectionTimeoutMS=500";

    private static EmbeddedServer server;
    private static SSLContext before;

    @BeforeAll
    static void start() throws Exception {
        before = SSLContext.getDefault();
        SSLContext.setDefault(TestCertificates.get().ofClient());
        server = MongodbTestServer.encryptedStandIn(TestCertificates.SERVER);
    }

    @AfterAll
    static void stop() {
        server.close();
        SSLContext.setDefault(before);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, tls=true, HOST_NAME",
        "localhost, ssl=true, HOST_NAME",
        "localhost, tls=true&tlsAllowInvalidHostnames=true, CERTIFICATE",
        // The driver asks for the name of the address, and believes what it is told.
        "127.0.0.1, tls=true, CERTIFICATE"
    })
    void theConnectionTellsHowFarTheServerWasVerified(String host, String options, Security security) {
        try (Target target = connect(url(server, host, options))) {
            assertThat(target.transport().security()).isEqualTo(security);
        }
    }

    @Test
    void aCertificateOfAnUnknownAuthorityIsRefused() {
        SSLContext.setDefault(before);
        try {
            assertRefused(url(server, "localhost", "tls=true" + SOON), "unable to find valid certification path");
        } finally {
            SSLContext.setDefault(TestCertificates.get().ofClient());
        }
    }

    private static void assertRefused(String url, String message) {
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> connect(new ServerAddress(url, "analyst", "sesame-open")))
                .withMessageContaining(message);
    }

    private static String url(EmbeddedServer server, String host, String options) {
        return server.address().url().replaceAll("//[^:/]+:(\\d+).*", "//" + host + ":$1/?" + options);
    }

    private static Target connect(String url) {
        return connect(new ServerAddress(url, "", ""));
    }

    private static Target connect(ServerAddress address) {
        return new MongodbPlugin().connect(address, MongodbTestServer.options(IndexSet.NATIVE, Duration.ofSeconds(5)));
    }
}
