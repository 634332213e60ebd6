package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.EmbeddedServer;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;

/** Who may search a database that is there already, and where. */
@Tag("database")
@Tag("any-java")
final class ExistingMongodbTest {
    private static final String SHOP = "siemload_test_shop";
    private static final TargetOptions OPTIONS = MongodbTestServer.options(IndexSet.NATIVE, Duration.ofSeconds(20));

    private EmbeddedServer server;
    private MongoClient administrator;

    @BeforeEach
    void makeTheDatabase() {
        server = MongodbTestServer.start();
        administrator = MongoClients.create(server.address().url());
        administrator.getDatabase(SHOP).drop();
    }

    @AfterEach
    void stopServer() {
        administrator.getDatabase(SHOP).drop();
        administrator.close();
        server.close();
    }

    private Target connect() {
        return connect(server.address());
    }

    private static Target connect(ServerAddress address) {
        return new MongodbPlugin().connectExisting(shop(address), OPTIONS);
    }

    private static ServerAddress shop(ServerAddress address) {
        return new ServerAddress(address.url().replaceAll("/*$", "") + "/" + SHOP, "", "");
    }

    @Test
    void theUrlNamesTheDatabase() {
        assertThatThrownBy(() -> new MongodbPlugin().connectExisting(server.address(), OPTIONS))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("mongodb://host:port/database");
    }

    @Test
    void aUserWhoCouldWriteIsRefusedByWhatTheServerTells() {
        Document privileges = Document.parse("""
                {"authenticatedUsers": [{"user": "app", "db": "admin"}],
                 "authenticatedUserPrivileges": [
                   {"resource": {"db": "shop", "collection": ""}, "actions": ["find", "insert", "collStats"]}]}
                """);
        try (EmbeddedServer other = MongodbTestServer.standIn(6, privileges)) {
            assertThatThrownBy(() -> connect(other.address()))
                    .isInstanceOf(TargetException.class)
                    .hasMessageStartingWith("the user app may do more on MongoDB at ")
                    .hasMessageContaining(
                            " than read (insert on shop), and no session there can be kept from it; take a user that"
                                    + " can only read, which an administrator makes by: db.createUser({user:"
                                    + " 'siemload_reader', pwd: passwordPrompt(), roles: [{role: 'read', db: '" + SHOP
                                    + "'},");
        }
    }

    @Test
    void aUserWhoReadsIsTakenAndOneWhomNobodyKnowsIsTold() {
        Document privileges = Document.parse("""
                {"authenticatedUsers": [{"user": "siemload_reader", "db": "admin"}],
                 "authenticatedUserPrivileges": [
                   {"resource": {"db": "shop", "collection": ""},
                    "actions": ["changeStream", "collStats", "dbHash", "dbStats", "find", "killCursors", "listCollections",
                                "listIndexes", "listSearchIndexes", "planCacheRead"]},
                   {"resource": {"cluster": true}, "actions": ["inprog", "serverStatus", "top", "replSetGetStatus"]}]}
                """);
        try (EmbeddedServer other = MongodbTestServer.standIn(6, privileges);
                Target target = connect(other.address());
                Target open = connect()) {
            assertThat(target.rights()).isEmpty();
            assertThat(open.rights()).singleElement().asString().contains("without access control anybody may write");
            assertThat(open.kept()).isEqualTo("an aggregation that writes nothing");
        }
    }

    @Test
    void rightsOfAdministratorsAreTold() {
        List<String> writing = MongodbServer.writing(MongodbServer.json(Document.parse("""
                {"authenticatedUsers": [{"user": "root", "db": "admin"}],
                 "authenticatedUserPrivileges": [
                   {"resource": {"anyResource": true}, "actions": ["anyAction"]},
                   {"resource": {"cluster": true}, "actions": ["shutdown", "top"]},
                   {"resource": {"db": "", "collection": ""}, "actions": ["remove"]},
                   {"resource": {"db": "shop", "collection": "item"}, "actions": ["update"]}]}
                """)));

        assertThat(writing)
                .isEqualTo(List.of(
                        "anyAction anywhere",
                        "remove on all databases",
                        "shutdown on the cluster",
                        "update on shop.item"));
    }

    /** As the manual has it. */
    @Test
    void writesOfTheDatabaseAreCountedByTop() {
        Document top = Document.parse("""
                {"totals": {"note": "all times in microseconds",
                  "shop.item": {"insert": {"time": 5, "count": 2}, "update": {"count": 3}, "remove": {"count": 4},
                                "queries": {"count": 90}},
                  "shop.other": {"insert": {"count": 1}},
                  "shopping.item": {"insert": {"count": 100}}}, "ok": 1}
                """);

        assertThat(MongodbCollection.written(MongodbServer.json(top), "shop")).isEqualTo(10);
        assertThat(MongodbCollection.written(MongodbServer.json(Map.of()), "shop"))
                .isZero();
    }
}
