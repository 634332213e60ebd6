package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.ExistingSessions;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.Target.Replica;
import siemload.database.TargetException;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;

@Tag("database")
@Timeout(120)
class PostgresqlReplicaTest {
    private static final DatasetKey KEY = new DatasetKey("00000000ab1eab1e", "replicas", 10);
    private static final Duration LONG = Duration.ofSeconds(30);

    @RegisterExtension
    static final PostgresqlTestServer SERVER =
            new PostgresqlTestServer("primary", 2 * PostgresqlTestServer.SESSIONS, StandbyServer.OF_PRIMARY);

    @Test
    void aReplicaFindsWhatItHasReplayedAndTellsHowFarThatIs() throws Exception {
        SERVER.loadTenEvents(KEY);
        // The server's data stay from one build to the next.
        SERVER.execute("postgres", "DROP ROLE IF EXISTS replica_reader");
        SERVER.execute("postgres", "CREATE ROLE replica_reader LOGIN PASSWORD 'replica_reader'");
        // To the driver, a server looks like a standby if a user's transactions are read-only.
        SERVER.execute("postgres", "ALTER ROLE replica_reader SET default_transaction_read_only = on");
        try (StandbyServer standby = StandbyServer.of(SERVER, "standby");
                Target target = SERVER.connect();
                Replica replica = target.connectReplica(standby.address(), 1);
                Store store = target.copy(KEY, "r1");
                EventSink sink = store.openSink()) {
            assertThatExceptionOfType(TargetException.class)
                    .isThrownBy(() -> target.connectReplica(standby.address(), 1_000))
                    .withMessageContaining("free connections, but this run needs 1000");
            replica.awaitCaughtUp(LONG);
            ExistingSessions.open(
                    existing(standby.address().url()),
                    List.of(),
                    existing -> assertThat(existing.rowsWritten()).isEmpty());
            String primaryFirst = hosts(SERVER.address(), standby.address());
            String standbyFirst = hosts(standby.address(), SERVER.address());
            assertThat(standbysAsked(primaryFirst + "secondary")).isEqualTo(1);
            assertThat(standbysAsked(primaryFirst + "preferSecondary")).isEqualTo(1);
            assertThat(standbysAsked(primaryFirst + "any")).isZero();
            assertThat(standbysAsked(standbyFirst + "primary")).isZero();
            try (Target own = PostgresqlTestServer.connect(with(SERVER.address(), standbyFirst + "primary"), LONG);
                    Store read = own.read(KEY, "r2");
                    SearchSession asking = read.openSession()) {
                assertThat(count(asking)).isEqualTo(10);
            }
            try (Store there = replica.open(store.nameToJoin());
                    SearchSession asking = there.openSession()) {
                assertThat(count(asking)).isEqualTo(10);
                standby.pause();
                sink.write(PostgresqlTestServer.events(5));
                long written = replica.written();

                assertThat(store.events()).isEqualTo(15);
                assertThat(count(asking)).as("what it has not replayed").isEqualTo(10);
                assertThat(replica.replayed()).isLessThan(written);
                assertThatExceptionOfType(TargetException.class)
                        .isThrownBy(() -> replica.awaitCaughtUp(Duration.ofSeconds(1)))
                        .withMessageContaining("did not catch up with 127.0.0.1:")
                        .withMessageContaining("within 1 s (check that the standby replays:");

                standby.resume();
                awaitReplayed(replica, written);
                assertThat(count(asking)).isEqualTo(15);
            }
        }
    }

    private static Target existing(String url) {
        ServerAddress reader = new ServerAddress(url, "replica_reader", "replica_reader");
        return new PostgresqlPlugin().connectExisting(reader, PostgresqlTestServer.options(Duration.ofSeconds(2), 2));
    }

    private static ServerAddress with(ServerAddress login, String url) {
        return new ServerAddress(url, login.user(), login.password());
    }

    private static String hosts(ServerAddress first, ServerAddress second) {
        String host = second.url().replaceFirst(".*//([^/]*)/.*", "$1");
        return first.url().replaceFirst("(//[^/]*)/.*", "$1," + host + "/postgres?targetServerType=");
    }

    private static long standbysAsked(String url) {
        Statement standby =
                new Statement(new SearchName("standby"), StatementText.parse("SELECT 1 WHERE pg_is_in_recovery()"));
        AtomicLong rows = new AtomicLong();
        ExistingSessions.ask(
                existing(url),
                List.of(standby),
                session -> rows.set(session.search(standby.search(Map.of()), row -> {})));
        return rows.get();
    }

    private static long count(SearchSession session) {
        return session.search(PostgresqlTestServer.EVERYTHING, row -> {});
    }

    private static void awaitReplayed(Replica replica, long written) {
        while (replica.replayed() < written) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }
}
