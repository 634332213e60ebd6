package siemload.database.oracle;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import siemload.database.DatasetKey;
import siemload.database.TargetException;
import siemload.database.registry.Claim;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry;
import siemload.database.sql.SqlRegistry;

/**
 * All groups of tables in the user's schema that are siemload's, as the table {@code SIEMLOAD_TABLES} lists them. They are
 * named {@code SL_<fingerprint>_<random>_...}. Thread-safe.
 */
final class TableGroups implements AutoCloseable {
    private static final String TABLE = "siemload_tables";
    private static final int LONGEST_PREFIX = 40;

    private final OracleConnections connections;
    private final Tablespaces tablespaces;
    private final SqlRegistry storage;
    private final Registry registry;
    private boolean made;

    /** Nothing is made before something is to be made. */
    TableGroups(OracleConnections connections, Tablespaces tablespaces) {
        this.connections = connections;
        this.tablespaces = tablespaces;
        this.storage = new SqlRegistry(
                connections::openQuick,
                TABLE,
                TableGroup.FILES.read("server/now.sql").sql(),
                OracleErrors::outsideRun);
        this.registry = new Registry(storage, new RegisteredTables(connections));
    }

    /** The registry, which is made where it is not there. */
    private synchronized Registry registry() throws SQLException {
        if (!made) {
            try (Connection connection = connections.openQuick()) {
                makeIfMissing(connection);
            }
            made = true;
        }
        return registry;
    }

    /** The registry, where there is one: otherwise siemload has made nothing here. */
    private synchronized Optional<Registry> knownRegistry() {
        try (Connection connection = connections.openQuick()) {
            made |= isThere(connection);
        } catch (SQLException e) {
            throw OracleErrors.outsideRun("cannot look for " + TABLE, e);
        }
        return made ? Optional.of(registry) : Optional.empty();
    }

    /** The complete tables of a data set. */
    Optional<Entry> kept(DatasetKey key) {
        return knownRegistry().flatMap(registry -> registry.kept(key.fingerprint()));
    }

    /** Gives the tables of a data set up, so that it can be loaded anew. */
    void discard(DatasetKey key) {
        knownRegistry().ifPresent(registry -> registry.discard(key.fingerprint()));
    }

    TableGroup tables(String prefix) {
        return new TableGroup(prefix, tablespaces);
    }

    /** Makes new, empty tables, after dropping what killed processes left. */
    Claim create(Purpose purpose, String fingerprint, String label) throws SQLException {
        Registry registry = registry();
        registry.sweep();
        String prefix = Registry.name("SL_", fingerprint, LONGEST_PREFIX).toUpperCase(Locale.ROOT);
        Claim claim = registry.claim(purpose, prefix, fingerprint, label, "");
        try (Connection connection = connections.open()) {
            tables(prefix).create(connection);
            claim.made(RegisteredTables.identity(prefix, connection));
            return claim;
        } catch (SQLException | TargetException e) {
            claim.giveUp(e);
            throw e;
        }
    }

    /**
     * Makes loaded tables the ones that all runs find; where another process was faster, its tables are.
     *
     * @throws TargetException if not all events are in them
     */
    void keep(Claim claim, DatasetKey key, long events) {
        claim.requireAll(key, events, claim.name() + "_EVENT");
        claim.keepOrRelease(events + " events", events);
    }

    /** Tables with names like ours that the registry does not know. */
    List<String> strangers() throws SQLException {
        Set<String> ours = knownRegistry().map(Registry::entries).orElse(List.of()).stream()
                .map(Entry::name)
                .collect(Collectors.toSet());
        List<String> strangers = new ArrayList<>();
        try (Connection connection = connections.openQuick();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        TableGroup.FILES.read("server/strangers.sql").sql())) {
            while (rows.next()) {
                String table = rows.getString(1);
                if (ours.stream().noneMatch(prefix -> table.startsWith(prefix + "_"))) {
                    strangers.add("table " + table);
                }
            }
        }
        return strangers;
    }

    /** Drops what processes left behind that are gone. */
    void sweep() {
        knownRegistry().ifPresent(Registry::sweep);
    }

    @Override
    public void close() {
        registry.close();
        storage.close();
    }

    private static void makeIfMissing(Connection connection) throws SQLException {
        if (isThere(connection)) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    TableGroup.FILES.read("server/create-registry.sql").sql());
        } catch (SQLException e) {
            boolean anotherWasFaster = OracleErrors.isTakenName(e) && isThere(connection);
            if (!anotherWasFaster) {
                throw e;
            }
        }
    }

    /** @throws TargetException if something else has its name */
    private static boolean isThere(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(TableGroup.FILES.read("server/find-registry.sql").sql());
            return true;
        } catch (SQLException e) {
            if (OracleErrors.isMissingTable(e)) {
                return false;
            }
            if (OracleErrors.isUnknownColumn(e)) {
                throw new TargetException(
                        "what is called SIEMLOAD_TABLES in this schema is not siemload's registry, or that of an earlier"
                                + " version; rename or drop it",
                        e);
            }
            throw e;
        }
    }
}
