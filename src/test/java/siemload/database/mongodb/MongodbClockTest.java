package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import siemload.database.EmbeddedServer;
import siemload.database.ServerClock;

final class MongodbClockTest {
    @Test
    void itShowsMillisecondsAndSaysSo() {
        try (EmbeddedServer server = MongodbTestServer.standIn(6);
                MongoClient client = MongoClients.create(server.address().url());
                ServerClock clock = new MongodbClock(client.getDatabase("admin"), Duration.ofSeconds(20))) {
            assertThat(clock.resolution()).isEqualTo(Duration.ofMillis(1));
            assertThat(clock.now().getNano() % clock.resolution().toNanos()).isZero();
        }
    }
}
