package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import siemload.database.EmbeddedServer;
import siemload.database.IndexSet;
import siemload.database.Store;
import siemload.database.Target;

/** An insert makes a collection anew that was dropped: so none is dropped while one may still come. */
final class MongodbLateInsertTest {
    private final StandInBackend backend = new StandInBackend(6, Map.of("authenticatedUsers", List.of()));
    private EmbeddedServer server;
    private MongoClient administrator;
    private MongoDatabase database;
    private Target target;

    @BeforeEach
    void startServer() {
        server = MongodbTestServer.standIn(backend);
        administrator = MongoClients.create(server.address().url());
        database = administrator.getDatabase("siemload");
        target = connect();
    }

    @AfterEach
    void stopServer() {
        target.close();
        administrator.close();
        server.close();
    }

    @Test
    void aDropWaitsForAnInsertWithWhichTheServerGoesOn() throws Exception {
        Store store = target.emptyStore("late");
        String name = names("siemload_run_late_").get(0);
        backend.beginInsert("siemload." + name);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(store::close);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (backend.timesAsked() < 2 && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        assertThat(backend.timesAsked()).isGreaterThanOrEqualTo(2);
        assertThat(closing).isNotDone();
        database.getCollection(name).insertOne(new Document("_id", "late"));
        backend.endInsert("siemload." + name);
        closing.get(60, TimeUnit.SECONDS);
        requireNothingLeft("siemload_run_");
    }

    private void requireNothingLeft(String start) {
        assertThat(names(start)).isEmpty();
        assertThat(database.getCollection("siemload_registry").find().into(new ArrayList<>()))
                .noneMatch(entry -> String.valueOf(entry.get("name")).startsWith(start));
    }

    private Target connect() {
        return new MongodbPlugin()
                .connect(server.address(), MongodbTestServer.options(IndexSet.NATIVE, Duration.ofSeconds(20)));
    }

    private List<String> names(String start) {
        return MongodbTestServer.collections(server, start);
    }
}
