package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Replication;
import siemload.database.ReplicationReading;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.postgresql.server.PostgresqlTestServer;
import siemload.database.postgresql.server.StandbyServer;

/** A real standby, to which the log is streamed, and which can be kept from replaying it. */
@Tag("database")
@Tag("any-java")
@Timeout(120)
class PostgresqlReplicationTest {
    private static final long PATIENCE_SECONDS = 30;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("primary", StandbyServer.OF_PRIMARY);

    @BeforeEach
    void makeUsers() throws SQLException {
        SERVER.execute(
                "DROP ROLE IF EXISTS watcher; CREATE ROLE watcher LOGIN PASSWORD 'watcher' IN ROLE pg_read_all_stats;"
                        + " DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN PASSWORD 'stranger'");
    }

    @Test
    void aServerWithoutStandbysSaysSo() {
        try (Target target = asking(SERVER.address(), "watcher");
                Replication replication = target.openReplication().orElseThrow()) {
            ReplicationReading reading =
                    until(replication, told -> told.untold().isPresent());
            assertThat(reading.untold()).hasValue("no standby is connected");
        }
    }

    @Test
    void aStandbyThatReplaysNothingFallsBehindOnBothSides() throws Exception {
        try (StandbyServer standby = StandbyServer.of(SERVER, "standby");
                Target primary = new PostgresqlPlugin()
                        .connect(SERVER.address(), PostgresqlTestServer.options(Duration.ofSeconds(20), 1));
                Target other = asking(standby.address(), "watcher");
                Replication ofAll = primary.openReplication().orElseThrow();
                Replication ofItself = other.openReplication().orElseThrow()) {
            write();
            assertThat(until(
                                    ofAll,
                                    reading -> reading.untold().isEmpty()
                                            && reading.slowest().toMillis() < 500)
                            .standbys())
                    .isEqualTo(1);
            ReplicationReading unused = until(ofItself, PostgresqlReplicationTest::isClose);

            standby.pause();
            write();
            ReplicationReading far = until(ofAll, reading -> reading.slowest().toMillis() > 2_500);
            assertThat(far.slowest()).isLessThan(Duration.ofSeconds(PATIENCE_SECONDS));
            unused = until(ofItself, reading -> reading.slowest().toMillis() > 2_500);

            standby.resume();
            unused = until(ofAll, PostgresqlReplicationTest::isClose);
            unused = until(ofItself, PostgresqlReplicationTest::isClose);
        }
    }

    @Test
    void whoMayNotSeeStandbysIsToldWhatToGrant() throws Exception {
        try (StandbyServer standby = StandbyServer.of(SERVER, "standby");
                Target target = asking(SERVER.address(), "stranger");
                Replication replication = target.openReplication().orElseThrow()) {
            assertThat(standby.address()).isNotEqualTo(SERVER.address());
            ReplicationReading reading =
                    until(replication, told -> !told.untold().equals(Optional.of("no standby is connected")));
            assertThat(reading.untold().orElseThrow()).contains("GRANT pg_read_all_stats");
        }
    }

    private static boolean isClose(ReplicationReading reading) {
        return reading.untold().isEmpty() && reading.slowest().toMillis() < 1_000;
    }

    private static Target asking(ServerAddress server, String user) {
        return new PostgresqlPlugin()
                .connectExisting(
                        new ServerAddress(server.url(), user, user),
                        PostgresqlTestServer.options(Duration.ofSeconds(20), 1));
    }

    private static void write() throws SQLException {
        SERVER.execute("CREATE TABLE IF NOT EXISTS written (n int); INSERT INTO written VALUES (1)");
    }

    private static ReplicationReading until(Replication replication, Predicate<ReplicationReading> hoped) {
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        ReplicationReading reading = replication.read();
        while (!hoped.test(reading)) {
            assertThat(System.nanoTime()).as("it stays at " + reading).isLessThan(patience);
            LockSupport.parkNanos(PAUSE_NANOS);
            reading = replication.read();
        }
        return reading;
    }
}
