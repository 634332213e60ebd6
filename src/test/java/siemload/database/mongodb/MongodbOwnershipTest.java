package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.Target.ServerUse;
import siemload.database.TargetException;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.server.OwnershipTests;

@Tag("database")
final class MongodbOwnershipTest implements OwnershipTests {
    private EmbeddedServer server;
    private MongoClient administrator;
    private MongoDatabase database;

    @BeforeEach
    void startServer() {
        server = MongodbTestServer.start();
        administrator = MongoClients.create(server.address().url());
        database = administrator.getDatabase("siemload");
        database.drop();
    }

    @AfterEach
    void stopServer() {
        database.drop();
        administrator.close();
        server.close();
    }

    @Test
    void aDatabaseInWhichOtherCollectionsLieIsRefusedBeforeAnythingIsMade() {
        database.getCollection("alerts").insertOne(new Document());
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(this::connect)
                .withMessageContaining("holds collections that are not siemload's (alerts)")
                .withMessageContaining("mongodb://host:port/siemload");
        assertThat(names()).containsExactly("alerts");
    }

    /** An insert makes a collection anew that was dropped: so none is dropped while one may still come. */
    @Test
    void aDropWaitsForAnInsertWithWhichTheServerGoesOn() throws Exception {
        StandInBackend backend = new StandInBackend(6);
        try (EmbeddedServer standIn = MongodbTestServer.standIn(backend);
                MongoClient client = MongoClients.create(standIn.address().url());
                Target target = MongodbTestServer.connect(standIn)) {
            MongoDatabase there = client.getDatabase("siemload");
            Store store = target.emptyStore("late");
            String name =
                    MongodbTestServer.collections(standIn, "siemload_run_late_").get(0);
            backend.beginInsert("siemload." + name);
            CompletableFuture<Void> closing = CompletableFuture.runAsync(store::close);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (backend.timesAsked() < 2 && System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
            assertThat(backend.timesAsked()).isGreaterThanOrEqualTo(2);
            assertThat(closing).isNotDone();
            there.getCollection(name).insertOne(new Document("_id", "late"));
            backend.endInsert("siemload." + name);
            closing.get(60, TimeUnit.SECONDS);
            assertThat(MongodbTestServer.collections(standIn, "siemload_run_")).isEmpty();
            assertThat(there.getCollection("siemload_registry").find())
                    .noneMatch(entry -> String.valueOf(entry.get("name")).startsWith("siemload_run_"));
        }
    }

    /** The stand-in tells nothing of others. */
    @Test
    void lookingAtWhoUsesTheServerWritesNothingAndSaysWhatItCouldNotSee() {
        try (Target target = connect()) {
            ServerUse use = target.use().orElseThrow();
            assertThat(use.makes()).first().asString().contains("siemload_data_... for the data set in the database");
            assertThat(use.gaps()).contains("what others do (the role clusterMonitor)");
            assertThat(use.isBusy()).isFalse();
            assertThat(target.holds(KEY)).isFalse();
        }
        assertThat(names()).isEmpty();
    }

    @Override
    public Target connect() {
        return MongodbTestServer.connect(server);
    }

    @Override
    public String thing() {
        return "collection";
    }

    @Override
    public List<String> names() {
        return database.listCollectionNames().into(new ArrayList<>());
    }

    @Override
    public void kill(String start) {
        MongoCollection<Document> registry = database.getCollection("siemload_registry");
        Document entry = registry.find(Filters.regex("name", "^" + start)).first();
        String holder = entry.getString("holder").replaceAll("\\d+$", "0");
        registry.updateOne(
                Filters.eq(entry.get("_id")), Updates.combine(Updates.set("holder", holder), Updates.inc("beat", 1L)));
    }

    @Override
    public void empty(String name) {
        database.getCollection(name).deleteMany(new Document());
    }

    @Override
    public void make(String name) {
        database.getCollection(name).insertOne(new Document("_id", "theirs"));
    }

    @Override
    public long documents(String name) {
        return database.getCollection(name).countDocuments();
    }

    @Override
    public void enter(String name, Map<String, Object> values) {
        database.getCollection("siemload_registry").insertOne(new Document(values).append("_id", name));
    }
}
