package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.Target;

/** A server that was started anew is told from the one before, also where only its processes were. */
@Tag("database")
@Timeout(60)
final class ServerRestartTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("restart");

    @Test
    void aCrashOfOneBackendRestartsTheServerWhoseFirstProcessLivesOn() throws Exception {
        try (Target target = new PostgresqlPlugin()
                        .connect(SERVER.address(), PostgresqlTestServer.options(Duration.ofSeconds(5), 4));
                Store store = target.emptyStore("crash");
                Counters counters = store.openCounters().orElseThrow()) {
            CounterReading before = counters.read();
            assertThat(counters.read().restartedSince(before)).isFalse();

            ProcessHandle.of(backendOf(SERVER.ofRun("crash"))).orElseThrow().destroyForcibly();

            awaitRestart(counters, before);
            store.openSession().close();
        }
    }

    private static long backendOf(String database) throws SQLException {
        try (Connection connection = SERVER.administrator("postgres");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT pid FROM pg_stat_activity WHERE datname = '" + database + "' LIMIT 1")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Nobody says how soon the server notices that a process of its is gone, and when it is back. */
    private static void awaitRestart(Counters counters, CounterReading before) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!isRestarted(counters, before)) {
            assertThat(System.nanoTime()).as("a restart is seen within 30 s").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private static boolean isRestarted(Counters counters, CounterReading before) {
        try {
            return counters.read().restartedSince(before);
        } catch (SearchException down) {
            return false;
        }
    }
}
