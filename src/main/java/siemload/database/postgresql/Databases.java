package siemload.database.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.postgresql.util.PSQLState;
import siemload.database.DatasetKey;
import siemload.database.ServerUse;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.database.postgresql.load.TableContents;
import siemload.database.registry.Claim;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlRegistry;

/**
 * Creates, copies, keeps and drops whole databases: {@code siemload_data_<fingerprint>_<random>} for a data set, to which
 * nobody can connect once it is complete, and {@code siemload_run_<run id>_<random>} for a run. Each carries a comment with a
 * mark that the registry knows, and belongs to the user who made it; without both nothing is dropped.
 */
final class Databases implements AutoCloseable {
    private static final int STRATEGY_SINCE = 150_000;
    private static final int CLONE_SINCE = 180_000;
    private static final int LONGEST_NAME = 63;

    private final PostgresqlConnections connections;
    private final int version;
    private final long user;
    private Optional<Opened> opened = Optional.empty();

    /**
     * Of the user who is logged in. Nothing is made before something is to be made.
     *
     * @param version the server's version as a number: 180006
     * @param user the number of the user
     */
    Databases(PostgresqlConnections connections, int version, long user) {
        this.connections = connections;
        this.version = version;
        this.user = user;
    }

    /** The registry and what it lies in. */
    private record Opened(SqlRegistry storage, Registry registry) {}

    /** The registry, which is made where it is not there. */
    private synchronized Registry registry() {
        if (opened.isEmpty()) {
            SqlRegistry storage = RegistryDatabase.open(connections, user);
            opened = Optional.of(new Opened(storage, new Registry(storage, new RegisteredDatabases(connections))));
        }
        return opened.orElseThrow().registry();
    }

    /** The registry, where there is one: otherwise siemload has made nothing here. */
    private synchronized Optional<Registry> knownRegistry() {
        return opened.isPresent() || exists(RegistryDatabase.name(user)) ? Optional.of(registry()) : Optional.empty();
    }

    boolean exists(String database) {
        return connections
                .quick()
                .get(
                        "look for the database " + database,
                        connection -> OwnedDatabase.find(connection, database).isPresent());
    }

    /** Who else uses the server. */
    ServerUse use() {
        return PostgresqlServerUse.at(connections, user);
    }

    /** The kept database of a data set. */
    Optional<Entry> kept(DatasetKey key) {
        return knownRegistry().flatMap(registry -> registry.kept(key.fingerprint()));
    }

    /** Gives a kept database up, so that the data set can be loaded anew. */
    void discard(DatasetKey key) {
        knownRegistry().ifPresent(registry -> registry.discard(key.fingerprint()));
    }

    /** Creates an empty database for a load, after dropping what killed processes left. */
    Claim createForLoading(DatasetKey key) {
        String name = Registry.name("siemload_data_", key.fingerprint(), LONGEST_NAME);
        return make(Purpose.LOADING, name, key.fingerprint(), key.label(), connection -> createEmpty(connection, name));
    }

    /** Creates an empty database for a run, after dropping what killed processes left. */
    Claim createForRun(String runId) {
        String name = nameOfRun(runId);
        return make(Purpose.RUN, name, "", "run " + runId, connection -> createEmpty(connection, name));
    }

    /** Copies a kept database for a run, after dropping what killed processes left. */
    Claim copy(Entry kept, String runId) {
        String name = nameOfRun(runId);
        return make(
                Purpose.RUN,
                name,
                kept.fingerprint(),
                "run " + runId + " on " + kept.label(),
                connection -> copy(connection, kept.name(), name));
    }

    private static String nameOfRun(String runId) {
        return Registry.name("siemload_run_", runId, LONGEST_NAME);
    }

    /**
     * Turns a completely loaded database into a kept one; where another process was faster, its database is.
     *
     * @throws TargetException if not all events are in it
     */
    void keep(Claim claim, DatasetKey key, TableContents contents) {
        claim.requireAll(key, contents.events(), "the database " + claim.name());
        connections
                .quick()
                .run(
                        "keep the database " + claim.name(),
                        connection -> run(connection, "freeze-database", Map.of("kept", claim.name())));
        claim.keepOrRelease(contents.summary(), contents.events());
    }

    /** Databases that have a name like ours without being this user's siemload's, with their owners. */
    List<String> strangers() {
        Set<String> ours = knownRegistry().map(Registry::entries).orElse(List.of()).stream()
                .map(Entry::name)
                .collect(Collectors.toSet());
        List<Map.Entry<String, String>> all = connections
                .quick()
                .get(
                        "list the databases",
                        connection -> SqlTemplate.read("server/strangers.sql")
                                .rows(connection, row -> Map.entry(row.getString(1), row.getString(2))));
        return all.stream()
                .filter(database ->
                        !ours.contains(database.getKey()) && !database.getKey().equals(RegistryDatabase.name(user)))
                .map(database -> "database " + database.getKey() + " of " + database.getValue())
                .toList();
    }

    /** Drops what processes left behind that are gone. */
    void sweep() {
        knownRegistry().ifPresent(Registry::sweep);
    }

    @Override
    public synchronized void close() {
        opened.ifPresent(now -> {
            now.registry().close();
            now.storage().close();
        });
    }

    /** What a statement makes is claimed before, and marked afterwards. */
    private Claim make(Purpose purpose, String name, String fingerprint, String label, SqlAccess.Task making) {
        Registry registry = registry();
        registry.sweep();
        Claim claim = registry.claim(
                purpose, name, fingerprint, label, UUID.randomUUID().toString());
        try {
            return connections.maintenance().get("make the database " + name, connection -> {
                making.on(connection);
                OwnedDatabase.comment(connection, name, label + OwnedDatabase.mark(claim.identity()));
                claim.made(claim.identity());
                return claim;
            });
        } catch (TargetException e) {
            claim.giveUp(e);
            throw e;
        }
    }

    private static void createEmpty(Connection connection, String database) throws SQLException {
        run(connection, "create-database", Map.of("database", database));
    }

    private void copy(Connection connection, String kept, String database) throws SQLException {
        Map<String, String> names = Map.of("database", database, "kept", kept);
        if (version < STRATEGY_SINCE) {
            run(connection, "copy-database", names);
        } else if (version < CLONE_SINCE || !isCloned(connection, names)) {
            run(connection, "copy-database-files", names);
        }
    }

    /** Shares the blocks of the files where the server and its file system can; a failed try leaves nothing behind. */
    private static boolean isCloned(Connection connection, Map<String, String> names) throws SQLException {
        try {
            SqlTemplate.execute(connection, "SET file_copy_method = clone");
            run(connection, "copy-database-files", names);
            return true;
        } catch (SQLException e) {
            boolean cannotClone = PSQLState.INVALID_PARAMETER_VALUE.getState().equals(e.getSQLState())
                    || PSQLState.IO_ERROR.getState().equals(e.getSQLState());
            if (!cannotClone) {
                throw e;
            }
            SqlTemplate.execute(connection, "RESET file_copy_method");
            return false;
        }
    }

    private static void run(Connection connection, String file, Map<String, String> names) throws SQLException {
        SqlTemplate.read("server/" + file + ".sql", names).execute(connection);
    }
}
