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
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.Document;
import org.bson.types.ObjectId;
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
    void noCollectionOfOthersIsChangedWhateverItsNameAndWhateverStandsInTheRegistry() {
        for (String name : List.of(
                "siemload_alerts",
                "siemload_run_of_the_year",
                "siemload_data_00000000abcdef03",
                "siemload_run_x_0badcafe")) {
            database.getCollection(name).insertOne(new Document("_id", "theirs"));
        }
        database.getCollection("siemload_registry")
                .insertMany(List.of(
                        new Document("_id", new ObjectId()).append("seen", new Date(0)),
                        new Document("_id", "siemload_alerts").append("seen", new Date(0)),
                        foreignEntry("siemload_alerts"),
                        foreignEntry("siemload_run_x_0badcafe"),
                        foreignEntry("siemload_registry")));
        Map<String, Long> before = sizes();
        workBeside("siemload_run_of_the_year");
        assertThat(sizes()).isEqualTo(before);
    }

    /** As siemload would write it, by a process that is gone, but for a collection with another UUID. */
    private static Document foreignEntry(String collection) {
        return new Document("_id", "/" + collection)
                .append("owner", "")
                .append("name", collection)
                .append("purpose", "RUN")
                .append("fingerprint", "")
                .append("label", "")
                .append("identity", "00000000-0000-0000-0000-000000000000")
                .append("contents", "")
                .append("events", 0L)
                .append("holder", "gone")
                .append("beat", 0L)
                .append("seen", 0L);
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

    /** How many documents each collection has. */
    private Map<String, Long> sizes() {
        Map<String, Long> sizes = new TreeMap<>();
        names().stream()
                .filter(name -> !name.equals("siemload_registry"))
                .forEach(name -> sizes.put(name, database.getCollection(name).countDocuments()));
        return sizes;
    }
}
