package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import siemload.database.postgresql.PostgresqlTestServer;

/** The tables of pgbench in a database that was there before siemload, with a user {@code reader} who can only read. */
record PgbenchDatabase(PostgresqlTestServer server, String name) {
    /** What is asked of the database while siemload does something to it. */
    interface Load {
        ChildProcess.Ended run() throws Exception;
    }

    /**
     * Makes it.
     *
     * @param more is done to its tables
     */
    void make(String... more) throws Exception {
        server.makeDatabase(name, "reader");
        server.execute("postgres", "GRANT pg_read_all_data TO reader");
        server.execute(name, Files.readString(Path.of("src/test/resources/existing/pgbench.sql")));
        for (String sql : more) {
            server.execute(name, sql);
        }
        server.execute(name, "VACUUM ANALYZE");
    }

    /**
     * A load that succeeds, writes no row, makes no database, and has one to eight searching sessions at any time.
     *
     * @param searching what tells them from those that look at counters and the like, of {@code pg_stat_activity}
     */
    ChildProcess.Ended readOnly(String searching, Load load) throws Exception {
        String written = "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::text FROM pg_stat_user_tables";
        List<String> before = server.texts(name, written);
        List<String> databases = databases();
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Long> most = CompletableFuture.supplyAsync(() -> mostAtWork(searching, over));

        ChildProcess.Ended ended = load.run();
        over.set(true);

        assertThat(ended.exitCode()).as(ended.output()).isZero();
        assertThat(server.texts(name, written)).isEqualTo(before);
        assertThat(databases()).isEqualTo(databases);
        assertThat(most.get()).isBetween(1L, 8L);
        return ended;
    }

    private List<String> databases() throws SQLException {
        return server.texts("postgres", "SELECT datname FROM pg_database ORDER BY 1");
    }

    private long mostAtWork(String searching, AtomicBoolean over) {
        long most = 0;
        try (Connection connection = server.administrator(name);
                Statement statement = connection.createStatement()) {
            while (!over.get()) {
                try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM pg_sleep(0.02), pg_stat_activity"
                        + " WHERE datname = current_database() AND usename = 'reader' AND query NOT LIKE 'EXPLAIN%'"
                        + " AND " + searching)) {
                    rows.next();
                    most = Math.max(most, rows.getLong(1));
                }
            }
            return most;
        } catch (SQLException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
