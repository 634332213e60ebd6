package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import siemload.database.BulkLoad;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.EmbeddedServer;
import siemload.database.IndexSet;
import siemload.database.ServerClock;
import siemload.database.SharedLoad;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.postgresql.server.PostgresqlTestServer;
import siemload.event.SecurityEvent;

/** One data set that several processes load, here by clients of their own, and one copy that they work on. */
final class MongodbSharedLoadTest {
    private static final int EVENTS = 1_000;
    private static final int SHARDS = 3;
    private static final List<SecurityEvent> ALL = PostgresqlTestServer.events(EVENTS);

    private static EmbeddedServer server;

    @BeforeAll
    static void startServer() {
        server = MongodbTestServer.standIn(6);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void severalLoadWhatOneWould() {
        DatasetKey alone = new DatasetKey("00000000000000b1", "by one", EVENTS);
        DatasetKey together = new DatasetKey("00000000000000b3", "by three", EVENTS);
        try (Target target = connect()) {
            try (DatasetLoad load = target.load(alone)) {
                load.write(ALL);
                load.finish(step -> {});
            }
            try (SharedLoad load = target.loadTogether(together)) {
                List<Target> loaders =
                        IntStream.range(0, SHARDS).mapToObj(shard -> connect()).toList();
                List<BulkLoad> parts = loaders.stream()
                        .map(loader -> loader.joinLoad(load.nameToJoin()))
                        .toList();
                for (int i = 0; i < EVENTS; i++) {
                    parts.get(i % SHARDS).write(List.of(ALL.get(i)));
                }
                assertThat(parts.stream().mapToLong(BulkLoad::store).sum()).isPositive();
                loaders.forEach(Target::close);
                load.finish(step -> {});
            }
            assertThat(target.holds(together)).isTrue();
        }
        assertThat(documents("siemload_data_00000000000000b3_"))
                .hasSize(EVENTS)
                .isEqualTo(documents("siemload_data_00000000000000b1_"));
    }

    @Test
    void fewerEventsThanAllAreNotKept() {
        DatasetKey key = new DatasetKey("00000000000000b5", "fewer", EVENTS);
        try (Target target = connect();
                Target loader = connect();
                SharedLoad load = target.loadTogether(key)) {
            try (BulkLoad part = loader.joinLoad(load.nameToJoin())) {
                part.write(ALL.subList(0, 999));
                assertThat(part.store()).isPositive();
            }
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(() -> load.finish(step -> {}))
                    .withMessageContaining("has 1000 events, but 999 are in the collection");
        }
        assertThat(collection("siemload_data_00000000000000b5_")).isEmpty();
    }

    @Test
    void whatOneFeedsIntoACopyAnotherFindsAndItsClockIsThatOfTheServer() {
        DatasetKey key = new DatasetKey("00000000000000b6", "copied", 10);
        try (Target target = connect();
                Target other = connect()) {
            try (DatasetLoad load = target.load(key)) {
                load.write(ALL.subList(0, 10));
                load.finish(step -> {});
            }
            try (Store copy = target.copy(key, "run")) {
                try (Store joined = other.join(key, copy.nameToJoin().orElseThrow());
                        ServerClock clock = joined.openClock().orElseThrow()) {
                    joined.openSink().write(ALL.subList(10, 15));
                    assertThat(Duration.between(clock.now(), Instant.now()).abs())
                            .isLessThan(Duration.ofSeconds(60));
                    assertThat(clock.resolution()).isEqualTo(Duration.ofMillis(1));
                }
                assertThat(copy.events()).as("who joined has dropped nothing").isEqualTo(15);
            }
        }
    }

    private static Target connect() {
        return new MongodbPlugin()
                .connect(server.address(), MongodbTestServer.options(IndexSet.NATIVE, Duration.ofSeconds(20)));
    }

    private static List<Document> documents(String start) {
        try (MongoClient client = MongoClients.create(server.address().url())) {
            return client.getDatabase("siemload")
                    .getCollection(collection(start).orElseThrow())
                    .find()
                    .sort(new Document("_id", 1))
                    .into(new ArrayList<>());
        }
    }

    private static Optional<String> collection(String start) {
        try (MongoClient client = MongoClients.create(server.address().url())) {
            return client.getDatabase("siemload").listCollectionNames().into(new ArrayList<>()).stream()
                    .filter(name -> name.startsWith(start))
                    .findFirst();
        }
    }
}
