package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.Target;

/** Who else uses a server is seen before anything is written on it. */
@Tag("database")
@Timeout(60)
final class ServerUseTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("use");

    @Test
    void aServerWithNothingButIdleSessionsIsNotBusy() throws SQLException {
        try (Connection idle = SERVER.administrator("template1");
                Target target = connect(SERVER.address())) {
            ServerUse use = target.use().orElseThrow();
            assertThat(idle.isClosed()).isFalse();
            assertThat(use.others()).contains("PostgreSQL JDBC Driver of postgres on template1");
            assertThat(use.isBusy()).as(use.toString()).isFalse();
            assertThat(use.directory()).endsWith("data-18");
            assertThat(use.gaps()).isEmpty();
        }
    }

    @Test
    void manyShortTransactionsMakeItBusyAlsoForAUserWhoMayNotSeeThem() throws Exception {
        SERVER.execute(
                "DO $$BEGIN CREATE ROLE eve LOGIN CREATEDB PASSWORD 'eve-eve'; EXCEPTION WHEN duplicate_object THEN"
                        + " NULL; END$$");
        AtomicBoolean over = new AtomicBoolean();
        try (Connection other = SERVER.administrator("postgres");
                Statement statement = other.createStatement();
                Target target = connect(new ServerAddress(SERVER.address().url(), "eve", "eve-eve"))) {
            CompletableFuture<Void> work = CompletableFuture.runAsync(() -> {
                try {
                    while (!over.get()) {
                        statement.execute("SELECT 1");
                    }
                } catch (SQLException e) {
                    throw new AssertionError(e);
                }
            });
            ServerUse use = target.use().orElseThrow();
            over.set(true);
            work.join();
            assertThat(use.perSecond()).isGreaterThan(20);
            assertThat(use.isBusy()).isTrue();
            assertThat(use.gaps()).containsExactly("what others do (GRANT pg_read_all_stats TO this user)");
            assertThat(use.directory()).isEmpty();
        }
    }

    private static Target connect(ServerAddress address) {
        return new PostgresqlPlugin()
                .connect(address, PostgresqlTestServer.options(Duration.ofSeconds(20), PostgresqlTestServer.SESSIONS));
    }
}
