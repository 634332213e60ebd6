package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.Target.Transport.Security;
import siemload.database.TargetException;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.TestCertificates;
import siemload.database.mongodb.MongodbSearches.BsonNotation;

/** Whom it connects to, and how far that server is verified: a stand-in with a certificate for {@code localhost} alone. */
@Tag("every-java")
final class MongodbConnectTest {
    private static final String UNREACHABLE = "mongodb://localhost:1/?serverSelectionTimeoutMS=200";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    jdbc:postgresql://db | the url is not a MongoDB url
                    mongodb://db:99999   | write mongodb://host:port, or mongodb://host:port/database
                    """)
    void aUrlThatIsNoneIsRefusedWithTheNotation(String url, String message) {
        assertThatThrownBy(() -> connect(new ServerAddress(url, "analyst", "sesame+")))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("sesame")
                .hasNoCause();
    }

    @Test
    void anUnreachableServerIsNamedWithWhatCanBeDone() {
        assertThatThrownBy(() -> connect(new ServerAddress(UNREACHABLE, "analyst", "sesame")))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("localhost:1/siemload")
                .hasMessageContaining("Connection refused")
                .hasMessageContaining("Check host and port")
                .hasMessageNotContaining("sesame");
    }

    @Test
    void anOldServerIsRefusedWithWhatIsNeeded() {
        try (EmbeddedServer server = MongodbTestServer.standIn(5)) {
            assertThatThrownBy(() -> connect(server.address()))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("is version 5.0.0; version 6.0 or newer is needed");
        }
    }

    @Test
    void settingsAreThoseTheServerWasStartedWithAndNoSecrets() {
        Document options = Document.parse("""
                {"argv": ["mongod", "--tlsCertificateKeyFilePassword", "sesame"],
                 "parsed": {"net": {"port": 27017, "tls": {"certificateKeyFilePassword": "sesame"}},
                            "storage": {"wiredTiger": {"engineConfig": {"cacheSizeGB": 1.5}}},
                            "setParameter": {"ttlMonitorEnabled": "false"}}}
                """);
        assertThat(MongodbServer.settings(BsonNotation.json(options)))
                .isEqualTo(Map.of(
                        "net.port", "27017",
                        "storage.wiredTiger.engineConfig.cacheSizeGB", "1.5",
                        "setParameter.ttlMonitorEnabled", "false"));
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, tls=true, HOST_NAME",
        "localhost, ssl=true, HOST_NAME",
        "localhost, tls=true&tlsAllowInvalidHostnames=true, CERTIFICATE",
        // The driver asks for the name of the address, and believes what it is told.
        "127.0.0.1, tls=true, CERTIFICATE"
    })
    void theConnectionTellsHowFarTheServerWasVerified(String host, String options, Security security) throws Exception {
        SSLContext before = SSLContext.getDefault();
        SSLContext.setDefault(TestCertificates.get().ofClient());
        try (EmbeddedServer server = MongodbTestServer.encryptedStandIn();
                Target target = MongodbTestServer.connect(encrypted(server, host, options), Duration.ofSeconds(5))) {
            assertThat(target.transport().security()).isEqualTo(security);
        } finally {
            SSLContext.setDefault(before);
        }
    }

    @Test
    void aCertificateOfAnUnknownAuthorityIsRefused() {
        try (EmbeddedServer server = MongodbTestServer.encryptedStandIn()) {
            assertThatThrownBy(() -> connect(encrypted(server, "localhost", "tls=true&serverSelectionTimeoutMS=500")))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("unable to find valid certification path");
        }
    }

    private static ServerAddress encrypted(EmbeddedServer server, String host, String options) {
        String url = server.address().url().replaceAll("//[^:/]+:(\\d+).*", "//" + host + ":$1/?" + options);
        return new ServerAddress(url, "", "");
    }

    private static void connect(ServerAddress address) {
        MongodbTestServer.connect(address, Duration.ofSeconds(20)).close();
    }
}
