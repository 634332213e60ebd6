package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterType;
import com.mongodb.connection.ServerConnectionState;
import com.mongodb.connection.ServerDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.EmbeddedServer;
import siemload.database.ExistingSessions;
import siemload.database.ExistingTarget;
import siemload.database.IndexSet;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.StatementStore;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;

/** A database that is there already is asked by commands that read. */
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
        MongoDatabase shop = administrator.getDatabase(SHOP);
        shop.drop();
        shop.getCollection("item")
                .insertMany(IntStream.rangeClosed(1, 250)
                        .mapToObj(n -> new Document("_id", n)
                                .append("name", "item " + n)
                                .append("kind", n % 5)
                                .append("sold", new Date(n * 1_000L)))
                        .toList());
    }

    @AfterEach
    void stopServer() {
        administrator.getDatabase(SHOP).drop();
        administrator.close();
        server.close();
    }

    private ExistingTarget connect() {
        return connect(server.address());
    }

    private static ExistingTarget connect(ServerAddress address) {
        return new MongodbPlugin()
                .connectExisting(new ServerAddress(address.url().replaceAll("/*$", "") + "/" + SHOP, "", ""), OPTIONS);
    }

    private static Statement statement(String command) {
        return new Statement(
                new SearchName("asked"),
                StatementText.scan(StatementText.Language.COMMAND, command).statement());
    }

    private List<Document> rows(String command, Map<String, String> values) {
        Statement statement = statement(command);
        List<Document> rows = new ArrayList<>();
        try (ExistingTarget target = connect();
                StatementStore store = target.open(List.of(statement));
                SearchSession session = store.openSession()) {
            assertThat(store.refusal(statement)).isEmpty();
            long count = session.search(
                    statement.search(values),
                    row -> rows.add(Document.parse(new RawBsonDocument(row.idea()).toJson())));
            assertThat(count).isEqualTo(rows.size());
        }
        return rows;
    }

    @Test
    void aCommandIsAskedWithItsValuesAndItsRowsComeWhole() {
        assertThat(rows(
                        "{\"find\": \"item\", \"filter\": {\"name\": \":name\"}, \"projection\": {\"kind\": 1}}",
                        Map.of("name", "item 7")))
                .containsExactly(new Document("_id", 7).append("kind", 2));
        assertThat(rows(
                        "{\"find\": \"item\", \"filter\": {\"sold\": {\"$gt\": {\"$date\": \":since\"}}}}",
                        Map.of("since", "1970-01-01T00:04:00Z")))
                .hasSize(10);
    }

    @Test
    void aNumberIsNoText() {
        String asText = "{\"find\": \"item\", \"filter\": {\"_id\": \":id\"}}";

        assertThat(rows(asText, Map.of("id", "7"))).isEmpty();
        assertThat(rows(asText.replace("\":id\"", "{\"$numberInt\": \":id\"}"), Map.of("id", "7")))
                .hasSize(1);
    }

    /** The first batch of the server has 101. */
    @Test
    void aCursorIsReadToItsEnd() {
        assertThat(rows("{\"find\": \"item\", \"sort\": {\"_id\": -1}}", Map.of()))
                .hasSize(250)
                .extracting(row -> row.get("_id"))
                .startsWith(250, 249)
                .endsWith(2, 1);
        assertThat(rows("{\"find\": \"item\", \"batchSize\": 7}", Map.of())).hasSize(250);
        assertThat(rows("{\"find\": \"item\", \"limit\": 120}", Map.of())).hasSize(120);
    }

    @Test
    void aggregateDistinctAndCountAnswerWithRows() {
        assertThat(rows(
                        "{\"aggregate\": \"item\", \"pipeline\": [{\"$match\": {\"kind\": {\"$numberInt\": \":kind\"}}},"
                                + " {\"$group\": {\"_id\": \"$kind\", \"n\": {\"$sum\": 1}}}]}",
                        Map.of("kind", "3")))
                .containsExactly(new Document("_id", 3).append("n", 50));
        assertThat(rows("{\"distinct\": \"item\", \"key\": \"kind\"}", Map.of()))
                .hasSize(5);
        assertThat(rows("{\"count\": \"item\", \"query\": {\"kind\": 3}}", Map.of()))
                .containsExactly(new Document("", 50));
    }

    @Test
    void whoeverReadsNoFurtherLeavesTheSessionReadyForTheNextCommand() {
        Statement all = statement("{\"find\": \"item\", \"batchSize\": 10}");
        ExistingSessions.ask(connect(), List.of(all), session -> {
            assertThatThrownBy(() -> session.search(all.search(Map.of()), row -> {
                        throw new SearchException(SearchException.Kind.OTHER, "", "enough");
                    }))
                    .isInstanceOf(SearchException.class);
            assertThat(session.search(all.search(Map.of()), row -> {})).isEqualTo(250);
        });
    }

    @Test
    void aSearchThatIsCancelledEndsBetweenTwoRows() {
        Statement all = statement("{\"find\": \"item\"}");
        ExistingSessions.ask(connect(), List.of(all), session -> {
            assertThatThrownBy(() -> session.search(all.search(Map.of()), row -> session.cancel()))
                    .isInstanceOfSatisfying(
                            SearchException.class,
                            stopped -> assertThat(stopped.kind()).isEqualTo(SearchException.Kind.CANCELLED));
        });
    }

    @Test
    void whatWritesAndWhatIsNotThereIsRefusedBeforeAnythingIsAsked() {
        ExistingSessions.open(connect(), List.of(), store -> {
            assertThat(store.refusal(statement("{\"delete\": \"item\", \"deletes\": []}"))
                            .orElseThrow())
                    .startsWith("'delete' is none of the commands that are known to read");
            assertThat(store.refusal(statement("{\"find\": \"item\", \"filter\": {\"_id\": {\"$oid\": \"seven\"}}}"))
                            .orElseThrow())
                    .startsWith("it is no Extended JSON: ");
            assertThat(store.refusal(statement("{\"find\": \"itmes\"}")))
                    .hasValue("there is no collection itmes in" + " the database " + SHOP + " (there are: item)");
        });
    }

    @Test
    void valuesComeFromCommandsInTheFormInWhichTheyArePutIn() {
        ExistingSessions.open(connect(), List.of(), store -> {
            assertThat(store.values("{\"distinct\": \"item\", \"key\": \"kind\"}", 3))
                    .containsExactly("0", "1", "2");
            assertThat(store.values(
                            "{\"find\": \"item\", \"projection\": {\"sold\": 1, \"_id\": 0}, \"sort\": {\"_id\": 1}}",
                            2))
                    .containsExactly("1970-01-01T00:00:01Z", "1970-01-01T00:00:02Z");
            assertThatThrownBy(() -> store.values("{\"find\": \"item\"}", 2))
                    .isInstanceOf(TargetException.class)
                    .hasMessageStartingWith(
                            "a query for values gives 4 fields in row 1 (needed: one; _id is left out by"
                                    + " projection: {_id: 0})");
            assertThatThrownBy(() -> store.values("{\"drop\": \"item\"}", 2))
                    .isInstanceOf(TargetException.class)
                    .hasMessageStartingWith("a query for values cannot be asked: 'drop' is none of the commands");
        });
    }

    @Test
    void aValueThatIsNoneOfItsTypeFailsThatSearchAlone() {
        Statement byId = statement("{\"find\": \"item\", \"filter\": {\"_id\": {\"$numberInt\": \":id\"}}}");
        ExistingSessions.ask(connect(), List.of(byId), session -> {
            assertThatThrownBy(() -> session.search(byId.search(Map.of("id", "seven")), row -> {}))
                    .isInstanceOf(SearchException.class)
                    .hasMessageContaining("'seven' of :id is no $numberInt");
            assertThat(session.search(byId.search(Map.of("id", "7")), row -> {}))
                    .isEqualTo(1);
        });
    }

    @Test
    void theUrlNamesTheDatabaseAndTheServersParametersStay() {
        assertThatThrownBy(() -> new MongodbPlugin().connectExisting(server.address(), OPTIONS))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("mongodb://host:port/database");
        TargetOptions setting = new TargetOptions(
                OPTIONS.variant(),
                OPTIONS.searchTimeout(),
                OPTIONS.maintenanceTimeout(),
                SHOP,
                1,
                Map.of("internalQueryExecYieldIterations", "1"));
        assertThatThrownBy(() -> new MongodbPlugin().connectExisting(server.address(), setting))
                .isInstanceOf(TargetException.class)
                .hasMessage("MongoDB sets parameters for the whole server, on which nothing is changed here (leave"
                        + " -Dparameters out)");
    }

    @Test
    void ofAShardedClusterOneRouterIsAsked() {
        assertThatThrownBy(() -> ExistingMongodb.requireOneRouter(cluster(ClusterType.SHARDED, "a", "b")))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("the url leads to several mongos");
        ExistingMongodb.requireOneRouter(cluster(ClusterType.SHARDED, "a"));
        ExistingMongodb.requireOneRouter(cluster(ClusterType.REPLICA_SET, "a", "b"));
    }

    private static ClusterDescription cluster(ClusterType type, String... hosts) {
        return new ClusterDescription(
                ClusterConnectionMode.MULTIPLE,
                type,
                Stream.of(hosts)
                        .map(host -> ServerDescription.builder()
                                .address(new com.mongodb.ServerAddress(host))
                                .state(ServerConnectionState.CONNECTED)
                                .build())
                        .toList());
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
                ExistingTarget target = connect(other.address());
                ExistingTarget open = connect()) {
            assertThat(target.rights()).isEmpty();
            assertThat(open.rights()).singleElement().asString().contains("without access control anybody may write");
            assertThat(open.kept()).isEqualTo("a command that is known to read");
        }
    }

    @Test
    void rightsOfAdministratorsAreTold() {
        UserRights rights = UserRights.of(Document.parse("""
                {"authInfo": {"authenticatedUsers": [{"user": "root", "db": "admin"}],
                 "authenticatedUserPrivileges": [
                   {"resource": {"anyResource": true}, "actions": ["anyAction"]},
                   {"resource": {"cluster": true}, "actions": ["shutdown", "top"]},
                   {"resource": {"db": "", "collection": ""}, "actions": ["remove"]},
                   {"resource": {"db": "shop", "collection": "item"}, "actions": ["update"]}]}}
                """));

        assertThat(rights.writing())
                .isEqualTo(Arrays.asList(
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

        assertThat(CommandStore.written(top, "shop")).isEqualTo(10);
        assertThat(CommandStore.written(new Document(), "shop")).isZero();
    }
}
