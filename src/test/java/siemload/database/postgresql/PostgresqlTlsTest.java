package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TestCertificates;
import siemload.database.TlsSocket;
import siemload.database.Transport.Security;

/** A server whose certificate, for {@code localhost} alone, an authority below a root signed. */
@Tag("database")
final class PostgresqlTlsTest {
    private static final TestCertificates CERTIFICATES = TestCertificates.get();
    private static final String TRUSTED = "&sslrootcert=" + CERTIFICATES.root();

    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer(
            "tls",
            Map.of(
                    "ssl", "on",
                    "ssl_cert_file", CERTIFICATES.chain().toString(),
                    "ssl_key_file", CERTIFICATES.key().toString()));

    @ParameterizedTest
    @CsvSource({
        "localhost, verify-full, HOST_NAME",
        "localhost, verify-ca,   CERTIFICATE",
        "127.0.0.1, verify-ca,   CERTIFICATE",
        "127.0.0.1, require,     UNVERIFIED",
        "127.0.0.1, prefer,      UNVERIFIED"
    })
    void theConnectionTellsHowFarTheServerWasVerified(String host, String mode, Security security) {
        try (Target target = connect(host, "?sslmode=" + mode + TRUSTED)) {
            TestCertificates.assertEncrypted(target.transport(), security);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"verify-full", "verify-ca"})
    void aCertificateOfAnUnknownAuthorityIsRefused(String mode) {
        assertRefused("localhost", "?sslmode=" + mode + "&sslrootcert=" + CERTIFICATES.strangeRoot(), "SSL error");
    }

    /** Somebody on the way who says that the server has no TLS. */
    @ParameterizedTest
    @ValueSource(strings = {"require", "verify-ca", "verify-full"})
    void aDowngradeIsRefusedBeforeUserAndPasswordAreSent(String mode) throws Exception {
        try (TlsSocket socket = TlsSocket.plain("N")) {
            String url = "jdbc:postgresql://localhost:" + socket.port() + "/postgres?sslmode=" + mode + TRUSTED;
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(() -> connect(new ServerAddress(url, "analyst", "sesame-open")))
                    .withMessageContaining("does not support SSL");
            assertThat(socket.told()).hasSize(8).doesNotContain("analyst", "sesame-open");
        }
    }

    private static void assertRefused(String host, String options, String message) {
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> connect(host, options))
                .satisfies(e -> assertThat(e.getMessage())
                        .contains(message)
                        .doesNotContain(SERVER.address().password()));
    }

    private static Target connect(String host, String options) {
        ServerAddress address = SERVER.address();
        return connect(new ServerAddress(
                address.url().replace("127.0.0.1", host) + options, address.user(), address.password()));
    }

    private static Target connect(ServerAddress address) {
        return new PostgresqlPlugin()
                .connect(address, PostgresqlTestServer.options(Duration.ofSeconds(5), PostgresqlTestServer.SESSIONS));
    }
}
