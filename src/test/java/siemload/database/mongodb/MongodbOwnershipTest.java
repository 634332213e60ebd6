package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.EmbeddedServer;
import siemload.database.IndexSet;
import siemload.database.ServerUse;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.server.OwnershipTests;

/** Collections of others stay as they are, whatever they are called; our own are found, and dropped when nobody uses them. */
@Tag("database")
final class MongodbOwnershipTest implements OwnershipTests {
    private static final TargetOptions OPTIONS = MongodbTestServer.options(IndexSet.NATIVE, Duration.ofSeconds(20));

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

    /** Its process is gone: one of this machine with a start that no living one has. */
    static void kill(MongoDatabase database, String collection) {
        Document entry = database.getCollection("siemload_registry")
                .find(Filters.regex("name", "^" + collection))
                .first();
        String holder = entry.getString("holder").replaceAll("\\d+$", "0");
        database.getCollection("siemload_registry")
                .updateOne(
                        Filters.eq(entry.get("_id")),
                        Updates.combine(Updates.set("holder", holder), Updates.inc("beat", 1L)));
    }

    @Override
    public Target connect() {
        return new MongodbPlugin().connect(server.address(), OPTIONS);
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
        kill(database, start);
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
