package siemload.database.oracle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import siemload.database.ServerUse;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.Variant;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.Registry;
import siemload.database.registry.ServerObjects;
import siemload.database.server.DatabaseServer;
import siemload.database.server.EventTables;
import siemload.database.server.RunCopy;
import siemload.database.sql.SqlRegistry;
import siemload.database.sql.SqlStatement;

/**
 * An Oracle server, on which everything lies in the user's own schema. But for the registry's, each call opens a connection of
 * its own.
 *
 * @param version as the server tells it
 */
record OracleServer(
        OracleConnections connections,
        Tablespaces tablespaces,
        SqlRegistry registry,
        Variant variant,
        OracleLayout layout,
        String version,
        Transport transport)
        implements DatabaseServer {
    private static final int OLDEST_VERSION = 19;
    private static final int LONGEST_PREFIX = 40;
    /** Stands in the names of tables that no data set is copied into. */
    private static final String NO_DATASET = "0000000000000000";

    private static final String CHARACTER_SET = "AL32UTF8";

    static OracleServer connect(OracleConnections connections, Tablespaces tablespaces, Variant variant) {
        About about = About.of(connections);
        about.requireAll();
        connections.checkParameters();
        SqlRegistry registry = new SqlRegistry(
                new RegistryTable(connections),
                RegistryTable.NAME,
                TableGroup.FILES.read("server/now.sql"),
                OracleErrors.INSTANCE);
        Transport transport = connections.transport(about.protocol);
        return new OracleServer(
                connections, tablespaces, registry, variant, OracleLayout.of(variant), about.version, transport);
    }

    @Override
    public String place() {
        return "Oracle";
    }

    @Override
    public SortedMap<String, String> settings() {
        return connections.settings();
    }

    @Override
    public ServerUse use() {
        return OracleServerUse.at(connections);
    }

    @Override
    public ServerObjects objects() {
        return new RegisteredTables(connections);
    }

    /** Names begin with {@code SL_<fingerprint>_<random>_}. */
    @Override
    public String newName(Purpose purpose, String fingerprint, String runId) {
        String text = fingerprint.isEmpty() ? NO_DATASET : fingerprint;
        return Registry.name("SL_", text, LONGEST_PREFIX).toUpperCase(Locale.ROOT);
    }

    @Override
    public EventTables tables(String name) {
        return new OracleTables(connections, new TableGroup(name, tablespaces, layout), variant.indexes());
    }

    @Override
    public List<String> strangers(Set<String> ours) {
        SqlStatement strangers = TableGroup.FILES.read("server/strangers.sql");
        return connections.quick().rows("list the tables", strangers, row -> row.getString(1)).stream()
                .filter(table -> ours.stream().noneMatch(prefix -> table.startsWith(prefix + "_")))
                .map(table -> "table " + table)
                .toList();
    }

    @Override
    public Store openStore(RunCopy copy) {
        TableGroup tables = new TableGroup(copy.name(), tablespaces, layout);
        HintText hints = new HintText(variant.hint(), variant.indexes(), tables);
        return new OracleStore(connections, copy, tables, new OracleSearchStatements(tables, hints));
    }

    @Override
    public void close() {
        registry.close();
    }

    /** What the server tells of itself. */
    record About(String version, String user, String characterSet, long createTable, String protocol) {

        static About of(ResultSet row) throws SQLException {
            return new About(row.getString(1), row.getString(2), row.getString(3), row.getLong(4), row.getString(5));
        }

        /** Those of the server that is connected to. */
        static About of(OracleConnections connections) {
            SqlStatement question = TableGroup.FILES.read("server/about.sql");
            return connections
                    .maintenance()
                    .rows("connect to Oracle", question, About::of)
                    .get(0);
        }

        void requireVersion() {
            if (Integer.parseInt(version.split("\\.", 2)[0]) < OLDEST_VERSION) {
                throw new TargetException("the server is Oracle " + version + "; version 19 or newer is needed, which"
                        + " tells whether it followed a hint");
            }
        }

        void requireAll() {
            requireVersion();
            if (!characterSet.equals(CHARACTER_SET)) {
                throw new TargetException("the database has the character set " + characterSet + ", but events hold any"
                        + " Unicode; use a (pluggable) database with " + CHARACTER_SET);
            }
            if (createTable == 0) {
                throw new TargetException("the user " + user + " may not create tables, but data sets are loaded into"
                        + " its own schema; let an administrator run: GRANT CREATE TABLE TO " + user);
            }
        }
    }
}
