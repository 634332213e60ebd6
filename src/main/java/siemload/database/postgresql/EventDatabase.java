package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.SQL;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLState;
import siemload.database.IndexSet;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.Maintenance.BuildStep;
import siemload.database.Store.StoreKind;
import siemload.database.TargetException;
import siemload.database.layout.LayoutTable;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.registry.Claim;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry.Sessions;
import siemload.database.server.EventTables;
import siemload.database.server.EventTables.TableContents;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlErrors.Fault;
import siemload.database.sql.SqlRegistry;
import siemload.database.sql.SqlStatement;
import siemload.query.Window;

/**
 * The database of one data set, to which nobody can connect once it is complete, or of one run, as a whole. It carries a
 * comment with a mark that the registry knows.
 *
 * @param version the server's version as a number: 180006
 */
record EventDatabase(PostgresqlConnections connections, int version, String name, Layout layout, IndexSet indexSet)
        implements EventTables {
    private static final int STRATEGY_SINCE = 150_000;
    private static final int CLONE_SINCE = 180_000;
    /** "tuple concurrently updated" is an internal error to the server; the first settings of a database are a new row. */
    private static final Set<String> CHANGED_BESIDE = Set.of("XX000", PSQLState.UNIQUE_VIOLATION.getState());

    private static final int MOST_TRIES = 20;

    @Override
    public String place() {
        return "the database " + name;
    }

    @Override
    public void create(Claim claim) {
        makeEmpty(claim);
        access().run("create the tables in " + place(), connection -> {
            for (LayoutTable table : layout.tables()) {
                layout.create(table, connection);
            }
        });
    }

    @Override
    public BulkLoad createLoading(Claim claim, String label) {
        makeEmpty(claim);
        return PostgresqlBulkLoad.ofNewTables(connections, name, layout);
    }

    @Override
    public StoreKind copyFrom(String kept, Claim claim) {
        return make(claim, connection -> copy(connection, Map.of("database", name, "kept", kept)));
    }

    private void makeEmpty(Claim claim) {
        StoreKind unused = make(claim, connection -> {
            run(connection, "create-database", Map.of("database", name));
            return StoreKind.EMPTY;
        });
    }

    /** The registry knows the mark before anything can carry it, and once more that this process still holds the claim. */
    private StoreKind make(Claim claim, SqlAccess.Work<StoreKind> making) {
        String mark = UUID.randomUUID().toString();
        claim.made(mark);
        StoreKind made = connections.maintenance().get("make " + place(), connection -> {
            StoreKind kind = making.on(connection);
            OwnDatabases.comment(connection, name, claim.label() + OwnDatabases.mark(mark));
            return kind;
        });
        claim.made(mark);
        return made;
    }

    private StoreKind copy(Connection connection, Map<String, String> names) throws SQLException {
        if (version >= CLONE_SINCE && isCloned(connection, names)) {
            return StoreKind.CLONE;
        }
        run(connection, version < STRATEGY_SINCE ? "copy-database" : "copy-database-files", names);
        return StoreKind.COPY;
    }

    /** Shares the blocks of the files where the server and its file system can; a failed try leaves nothing behind. */
    private static boolean isCloned(Connection connection, Map<String, String> names) throws SQLException {
        try {
            SqlStatement.execute(connection, "SET file_copy_method = clone");
            run(connection, "copy-database-files", names);
            return true;
        } catch (SQLException e) {
            boolean cannotClone = PSQLState.INVALID_PARAMETER_VALUE.getState().equals(e.getSQLState())
                    || PSQLState.IO_ERROR.getState().equals(e.getSQLState());
            if (!cannotClone) {
                throw e;
            }
            SqlStatement.execute(connection, "RESET file_copy_method");
            return false;
        }
    }

    private static void run(Connection connection, String file, Map<String, String> names) throws SQLException {
        SQL.read(file, names).execute(connection);
    }

    /** A day whose events lie among the others, since they came before its partition, stays there. */
    @Override
    public void makeRoom(Window times) {
        if (layout.isByDay()) {
            access().run("make partitions in " + place(), connection -> {
                for (DayPartition day : DayPartition.during(times)) {
                    for (String table : layout.tableNames()) {
                        boolean unused = PostgresqlErrors.INSTANCE.isMade(
                                () -> layout.createPartition(day, table, connection), Fault.DUPLICATE);
                    }
                }
            });
        }
    }

    @Override
    public long events() {
        return access().get(
                        "count the events in " + place(),
                        connection -> layout.read("events").number(connection));
    }

    /**
     * The rows of each table, and a hash of what tells them apart that does not depend on their order: {@code events 200000
     * 1f0c..., events_json ...}. So pages that a disk has lost show, which no index would miss. Changed bytes are left to the
     * server's own checksums: reading every column would take five times as long.
     */
    @Override
    public TableContents contents() {
        return access().get("count and hash the events in " + place(), connection -> {
            List<String> tables = new ArrayList<>();
            long events = 0;
            for (LayoutTable table : layout.tables()) {
                long[] rowsAndHash =
                        layout.contents(table).row(connection, row -> new long[] {row.getLong(1), row.getLong(2)});
                events = tables.isEmpty() ? rowsAndHash[0] : events;
                tables.add(table.name() + " " + rowsAndHash[0] + " " + Long.toHexString(rowsAndHash[1]));
            }
            return new TableContents(events, String.join(", ", tables));
        });
    }

    @Override
    public BulkLoad openLoad(String label) {
        return PostgresqlBulkLoad.ofTables(access(), layout, label);
    }

    @Override
    public List<BuildStep> indexes() {
        String set = "indexes-" + indexSet.label();
        return Stream.of("primary-keys", "keys-address", set, set + "-address")
                .flatMap(file -> layout.steps(file, Map.of()).stream())
                .map(step -> new BuildStep(
                        step.name(),
                        () -> access().run(
                                        "build '" + step.name() + "' in " + place(),
                                        connection -> build(connection, step))))
                .toList();
    }

    /** @throws TargetException if it needs an extension that the server does not give */
    static void build(Connection connection, SqlStatement.Step step) throws SQLException {
        try {
            SqlStatement.execute(connection, step.sql());
        } catch (SQLException e) {
            if (step.name().startsWith("extension ")) {
                throw PostgresqlErrors.missingExtension(step.name(), e);
            }
            throw e;
        }
    }

    @Override
    public void complete(Consumer<String> step) {
        EventTables.super.complete(step);
        step.accept("vacuum and analyze");
        access().execute(
                        "gather the statistics of " + place(),
                        "VACUUM (ANALYZE) " + String.join(", ", layout.tableNames()));
    }

    /** A copied database has all indexes and statistics. */
    @Override
    public void completeCopy() {}

    @Override
    public void lock() {
        alter("lock", "freeze-database");
    }

    @Override
    public boolean areReadInPlace() {
        return true;
    }

    /** Whatever connects to it can only read, unless it asks for more. */
    @Override
    public void unlock() {
        alter("protect", "protect-database");
        alter("unlock", "thaw-database");
    }

    /** Two runs that begin or end at the same instant alter the same row, and the server lets one of them fail. */
    private void alter(String what, String file) {
        connections.quick().run(what + " " + place(), connection -> {
            for (int tries = 1; ; tries++) {
                try {
                    run(connection, file, Map.of("kept", name));
                    return;
                } catch (SQLException e) {
                    if (tries == MOST_TRIES || !CHANGED_BESIDE.contains(String.valueOf(e.getSQLState()))) {
                        throw e;
                    }
                }
            }
        });
    }

    @Override
    public void dropIndexes() {
        access().run("drop the indexes in " + place(), connection -> {
            for (String drop : SQL.read("index-drops").rows(connection, row -> row.getString(1))) {
                SqlStatement.execute(connection, drop);
            }
        });
    }

    @Override
    public void gatherStatistics() {
        access().execute("gather the statistics of " + place(), "ANALYZE " + String.join(", ", layout.tableNames()));
    }

    /** In one transaction. The tables that refer to the events come first; else each event would look for its rows. */
    @Override
    public long deleteAll() {
        List<String> tables = new ArrayList<>(layout.tableNames());
        Collections.reverse(tables);
        return access().change(
                        "delete the events in " + place(),
                        tables.stream()
                                .map(table -> SQL.read("delete-all", Map.of("table", table)))
                                .toList());
    }

    @Override
    public void checkpoint() {
        access().execute("take a checkpoint (it takes a member of pg_checkpoint, or a superuser)", "CHECKPOINT");
    }

    private SqlAccess access() {
        return connections.maintenance(name);
    }

    /**
     * The database in which siemload keeps its registry, one for each user of a server, and the databases that it tells of. It is the same
     * one whichever database the url names, so that all runs meet there.
     */
    static final class OwnDatabases extends SqlRegistry {
        private final PostgresqlConnections connections;
        private final String registry;

        /** @param user the number of the user who is logged in */
        OwnDatabases(PostgresqlConnections connections, long user) {
            super("siemload_objects", SQL.read("now"), PostgresqlErrors.INSTANCE);
            this.connections = connections;
            this.registry = "siemload_registry_" + user;
        }

        /** The name of the registry's own database. */
        String registry() {
            return registry;
        }

        @Override
        protected Optional<Connection> home() throws SQLException {
            Optional<Found> found = find(registry);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            if (!found.orElseThrow().own()) {
                throw new TargetException("the database " + registry + " belongs to "
                        + found.orElseThrow().owner() + ", but siemload keeps its registry under that name; rename it");
            }
            return Optional.of(
                    connections.repeating(registry).then(this::refuseStrangers).open());
        }

        /** It may be an administrator's of the same name. */
        private void refuseStrangers(Connection open) throws SQLException {
            for (String stranger : SQL.read("registry-strangers").rows(open, row -> row.getString(1))) {
                throw new TargetException("the database " + registry + " holds " + stranger
                        + ", which is not siemload's, but siemload keeps its registry under that name; rename it");
            }
        }

        /** Another process may be faster: two may create the same table at the same instant, whatever the statement says. */
        @Override
        protected Connection make() throws SQLException {
            SqlStatement create = SQL.read("create-database", Map.of("database", registry));
            connections.quick().run("make the database " + registry, open -> make(create, open));
            Connection made = home().orElseThrow();
            make(SQL.read("create-registry"), made);
            comment(made, registry, "the registry of siemload: which databases of this server it has made");
            return made;
        }

        private static void make(SqlStatement create, Connection open) throws SQLException {
            boolean unused = PostgresqlErrors.INSTANCE.isMade(() -> create.execute(open), Fault.NAME_TAKEN);
        }

        /**
         * What the server knows of a database.
         *
         * @param owner the name of the role that owns it
         * @param own whether that is the user who is logged in
         * @param comment what an administrator would read about it; empty without one
         * @param used whether somebody is connected to it
         */
        record Found(String owner, boolean own, String comment, boolean used) {

            private static Found of(ResultSet row) throws SQLException {
                return new Found(
                        row.getString("owner"),
                        row.getBoolean("own"),
                        row.getString("comment"),
                        row.getBoolean("used"));
            }

            /**
             * Whether it is the very database that the entry tells of, and belongs to the user who is logged in. A process that was
             * killed between making a database and marking it leaves its random name alone as a proof.
             */
            private boolean isThatOf(Entry entry) {
                boolean unmarked = comment.isEmpty() && entry.purpose() != Purpose.DATA_SET;
                return own && (comment.endsWith(mark(entry.identity())) || unmarked);
            }
        }

        private static Optional<Found> find(Connection connection, String database) throws SQLException {
            return SQL.read("find-database").rows(connection, Found::of, database).stream()
                    .findFirst();
        }

        /** Sets what an administrator reads about a database. */
        static void comment(Connection connection, String database, String text) throws SQLException {
            String literal = "'" + connection.unwrap(PGConnection.class).escapeLiteral(text) + "'";
            SQL.read("comment-database", Map.of("database", database, "label", literal))
                    .execute(connection);
        }

        /** The end of the comment on the database of an entry. */
        static String mark(String identity) {
            return " (made by siemload, mark " + identity + ")";
        }

        /** The database of this name, where there is one. */
        Optional<Found> find(String database) {
            return connections
                    .quick()
                    .get("look for the database " + database, connection -> find(connection, database));
        }

        @Override
        public boolean isThere(Entry entry) {
            return find(entry.name()).filter(found -> found.isThatOf(entry)).isPresent();
        }

        @Override
        public boolean drop(Entry entry, Sessions sessions) {
            return connections.dropping().get("drop the database " + entry.name(), open -> {
                Optional<Found> found = find(open, entry.name());
                if (found.isEmpty()) {
                    return !isBeingMade(open, entry);
                }
                if (!found.orElseThrow().isThatOf(entry)) {
                    return true;
                }
                String file = sessions == Sessions.END ? "drop-database-with-sessions" : "drop-database";
                SqlStatement drop = SQL.read(file, Map.of("database", entry.name()));
                boolean isRespected =
                        sessions == Sessions.RESPECT && found.orElseThrow().used();
                return !isRespected && PostgresqlErrors.INSTANCE.isMade(() -> drop.execute(open), Fault.IN_USE);
            });
        }

        /** A server may go on with a copy for a process that was killed, until it notices. */
        private static boolean isBeingMade(Connection connection, Entry entry) throws SQLException {
            return SQL.read("running-with").row(connection, row -> row.getBoolean(1), entry.name());
        }
    }
}
