package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.EmbeddedServer;
import siemload.database.EventSink;
import siemload.database.IndexSet;
import siemload.database.Replica;
import siemload.database.ReplicaPositions;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetOptions;
import siemload.database.mongodb.SetMember.Operations;
import siemload.database.postgresql.server.PostgresqlTestServer;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** Secondaries that answer searches; stand-ins, which tell of themselves in the form of the server's manual. */
@Timeout(120)
class MongodbReplicaTest {
    private static final DatasetKey KEY = new DatasetKey("00000000ab1eab1e", "replicas", 10);
    private static final TargetOptions OPTIONS = MongodbTestServer.options(IndexSet.NATIVE, Duration.ofSeconds(20));
    private static final Search ALL =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(100, 1));

    private StandInSet set;

    @BeforeEach
    void startSet() {
        set = StandInSet.of("rs0", 2);
    }

    @AfterEach
    void stopSet() {
        set.close();
    }

    @Test
    void aReplicaFindsWhatItHasAppliedAndTellsHowFarThatIs() {
        try (Target target = connect();
                Replica replica = target.connectReplica(set.address(1), 2)) {
            load(target);
            try (Store store = target.copy(KEY, "r1");
                    EventSink sink = store.openSink()) {
                replica.awaitCaughtUp(Duration.ofSeconds(30));
                try (Store there = replica.open(store.nameToJoin().orElseThrow());
                        SearchSession asking = there.openSession();
                        ReplicaPositions positions = replica.openPositions()) {
                    assertThat(there.events()).isEqualTo(10);
                    assertThat(asking.search(ALL, row -> {})).isEqualTo(10);
                    set.pause(1);
                    sink.write(PostgresqlTestServer.events(5));
                    long written = positions.written();

                    assertThat(store.events()).isEqualTo(15);
                    assertThat(asking.search(ALL, row -> {}))
                            .as("what it has not applied")
                            .isEqualTo(10);
                    assertThat(positions.replayed()).isLessThan(written);
                    assertThatExceptionOfType(TargetException.class)
                            .isThrownBy(() -> replica.awaitCaughtUp(Duration.ofSeconds(1)))
                            .withMessageContaining("does not catch up with 127.0.0.1:")
                            .withMessageContaining("after 1 s it lacks the last 1 s of the log");

                    set.resume(1);
                    assertThat(positions.replayed()).isEqualTo(written);
                    assertThat(asking.search(ALL, row -> {})).isEqualTo(15);
                }
            }
        }
        assertThat(set.readPreferences(1)).contains("find secondary").doesNotContain("find primary");
        assertThat(set.readPreferences(2)).isEmpty();
    }

    @Test
    void whatAReplicaIsAndHowFarItIsBehindIsKnownBeforeTheRun() {
        try (Target target = connect()) {
            set.pause(2);
            load(target);
            try (Replica prompt = target.connectReplica(set.address(1), 1);
                    Replica late = target.connectReplica(set.address(2), 1)) {
                assertThat(prompt.about())
                        .isEqualTo("secondary of the replica set rs0, whose primary is " + host(0)
                                + "; its last operation was 0 s behind");
                assertThat(late.about()).matches(".*; its last operation was [1-9]\\d* s behind");
            }
        }
    }

    @Test
    void whatIsNoReplicaIsRefusedByName() {
        try (StandInSet other = StandInSet.of("rs1", 1);
                StandInSet sameName = StandInSet.of("rs0", 1);
                EmbeddedServer alone = MongodbTestServer.standIn(6);
                Target target = connect()) {
            refused(target, set.address(0), host(0) + "/siemload is no replica: it takes writes itself");
            refused(target, other.address(1), "it is of another replica set (rs1, not rs0)");
            refused(
                    target,
                    sameName.address(1),
                    "it is of another replica set of the name rs0, which has no member " + host(0));
            refused(target, alone.address(), "it is of no replica set");
            set.say(1, StandInSet.State.RECOVERING);
            refused(target, set.address(1), "it is no secondary now");
            ServerAddress nobody = new ServerAddress("mongodb://localhost:1/?serverSelectionTimeoutMS=200", "", "");
            refused(target, nobody, "cannot connect to MongoDB at localhost:1/siemload");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'mongodb://db1,db2/?replicaSet=rs0'",
        "'mongodb+srv://db.example/'",
        "'mongodb://db1/?directConnection=false'",
    })
    void aUrlThatLeavesToTheDriverWhoAnswersIsRefused(String url) {
        try (Target target = connect()) {
            refused(target, new ServerAddress(url, "", ""), "lets the driver choose who answers");
        }
    }

    @Test
    void parametersThatThePrimaryAloneWouldHaveAreRefusedAndTakenBack() {
        String timeout = "cursorTimeoutMillis";
        TargetOptions options = new TargetOptions(
                OPTIONS.variant(),
                OPTIONS.searchTimeout(),
                OPTIONS.maintenanceTimeout(),
                OPTIONS.database(),
                OPTIONS.sessions(),
                Map.of(timeout, "1000"));
        Object before = set.parameter(0, timeout);
        try (Target target = new MongodbPlugin().connect(set.address(0), options)) {
            assertThat(set.parameter(0, timeout)).isEqualTo(1000);
            refused(
                    target,
                    set.address(1),
                    "parameters are set on MongoDB at " + host(0) + "/siemload, and not on its replica " + host(1)
                            + "/siemload (set them on both yourself, and leave -Dparameters out)");
        }
        assertThat(set.parameter(0, timeout)).isEqualTo(before);
        assertThat(set.parameter(1, timeout)).isEqualTo(before);
    }

    @Test
    void aPrimaryThatIsNoneHasNoReplicas() {
        try (EmbeddedServer alone = MongodbTestServer.standIn(6);
                Target target = connect(alone.address())) {
            refused(target, set.address(1), "is of no replica set, so that nothing follows it");
        }
        try (Target target = connect(set.address(1))) {
            refused(target, set.address(2), "is a secondary itself, so that nothing can be loaded there");
        }
    }

    @Test
    void aSecondaryThatBecomesThePrimaryTellsNoPlaceAnyMore() {
        try (Target target = connect();
                Replica replica = target.connectReplica(set.address(1), 1);
                ReplicaPositions positions = replica.openPositions()) {
            set.say(0, StandInSet.State.SECONDARY);
            set.say(1, StandInSet.State.PRIMARY);
            assertThatThrownBy(positions::written)
                    .isInstanceOf(SearchException.class)
                    .hasMessage("it is not the primary any more");
            assertThatThrownBy(positions::replayed)
                    .isInstanceOf(SearchException.class)
                    .hasMessage("it is not a secondary any more");
            assertThatThrownBy(() -> replica.awaitCaughtUp(Duration.ofSeconds(1)))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("it is not a secondary any more");
        }
    }

    @Test
    void searchesForWhatTheMajorityHasFindNoMoreThanThat() {
        SetMember member = new SetMember(Document.parse("""
                {"lastWrite": {"opTime": {"ts": {"$timestamp": {"t": 20, "i": 3}}},
                               "majorityOpTime": {"ts": {"$timestamp": {"t": 19, "i": 7}}}}}"""));
        assertThat(member.position(Operations.APPLIED)).isEqualTo((20L << 32) + 3);
        assertThat(member.position(Operations.OF_MAJORITY)).isEqualTo((19L << 32) + 7);
        MongodbConnections primary = new MongodbConnections(set.address(0), OPTIONS);
        ServerAddress there = set.address(1);
        assertThat(primary.atReplica(there, 1).readsMajority()).isFalse();
        ServerAddress majority = new ServerAddress(there.url() + "/?readConcernLevel=majority", "", "");
        assertThat(primary.atReplica(majority, 1).readsMajority()).isTrue();
    }

    @Test
    void whatKindOfSecondaryItIsIsTold() {
        SetMember hidden = new SetMember(Document.parse(
                "{\"secondary\": true, \"hidden\": true, \"passive\": true, \"secondaryDelaySecs\": 3600}"));
        assertThat(hidden.role()).isEqualTo("hidden passive secondary, kept 3600 s late");
    }

    private void refused(Target target, ServerAddress address, String why) {
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> target.connectReplica(address, 1))
                .withMessageContaining(why);
    }

    private static void load(Target target) {
        try (DatasetLoad load = target.load(KEY)) {
            load.write(PostgresqlTestServer.events(10));
            load.finish(step -> {});
        }
    }

    private String host(int member) {
        return set.address(member).url().replace("mongodb://", "");
    }

    private Target connect() {
        return connect(set.address(0));
    }

    private static Target connect(ServerAddress address) {
        return new MongodbPlugin().connect(address, OPTIONS);
    }
}
