package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.EmbeddedServer;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.mongodb.MongodbSearches.BsonNotation;

final class MongodbConnectTest {
    private static final String UNREACHABLE = "mongodb://localhost:1/?serverSelectionTimeoutMS=200";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    jdbc:postgresql://db | the url is not one of MongoDB
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

    private static void connect(ServerAddress address) {
        try (Target target = new MongodbPlugin()
                .connect(address, MongodbTestServer.options(IndexSet.NATIVE, Duration.ofSeconds(20)))) {
            assertThat(target.version()).isNotEmpty();
        }
    }
}
