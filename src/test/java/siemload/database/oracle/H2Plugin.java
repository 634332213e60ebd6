package siemload.database.oracle;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.database.TargetPlugin.Product;
import siemload.database.oracle.OraclePlugin.OracleDialect;
import siemload.database.provision.RealServer;
import siemload.database.sql.JdbcServer;

/**
 * The Oracle target on H2 in the memory of this process, in H2's Oracle mode. Syntax that H2 does not know is removed from Oracle's
 * statements, and H2's errors get Oracle's numbers. Searches and writes reach H2 unchanged. Public, since H2 calls it back.
 */
public final class H2Plugin implements TargetPlugin {
    private static final String MODE = ";MODE=Oracle;NON_KEYWORDS=VALUE;DB_CLOSE_DELAY=-1;DEFAULT_LOCK_TIMEOUT=10000";

    private static final Pattern UNKNOWN_CLAUSES =
            Pattern.compile("\\s+PARTITION BY RANGE (?s:.*)|\\s+LOCAL\\s*$|\\s+COMPRESS 1\\b|\\s+PURGE$"
                    + "|(?<=DROP PRIMARY KEY) DROP INDEX$");
    private static final Pattern UNKNOWN_STATEMENTS = Pattern.compile(
            "(?s)(ALTER SESSION|ALTER SYSTEM|BEGIN DBMS_STATS|ALTER TABLE \\S+ (SET INTERVAL|ADD PARTITION)).*");
    private static final Pattern EXPLAINED =
            Pattern.compile("EXPLAIN PLAN SET STATEMENT_ID = 'siemload' FOR ((\\w+).*)", Pattern.DOTALL);
    private static final Pattern DISPLAYED = Pattern.compile("SELECT .* FROM TABLE\\(DBMS_XPLAN\\.DISPLAY.*");
    /** The query that returns the session's plan. H2 checks whether a statement is right, but reports its plan in another form. */
    private static final ThreadLocal<String> PLAN = new ThreadLocal<>();

    private static final String NOTHING = "SELECT 1 FROM DUAL WHERE ? IS NULL OR 1 = 1";

    private static final Map<Integer, Integer> ORACLE_NUMBERS = Map.ofEntries(
            Map.entry(42_101, 955),
            Map.entry(42_102, 942),
            Map.entry(42_104, 942),
            Map.entry(42_112, 1_418),
            Map.entry(42_122, 904),
            Map.entry(23_505, 1),
            Map.entry(57_014, 1_013),
            Map.entry(90_007, 17_008),
            Map.entry(90_067, 17_002));

    /** The parts of Oracle's dictionary. All sizes are the same, since H2 keeps everything in memory. */
    private static final List<String> DICTIONARY = List.of(
            "CREATE VIEW product_component_version AS SELECT '19.24.0.0.0' AS version_full",
            "CREATE VIEW database_properties AS SELECT 'NLS_CHARACTERSET' AS property_name, 'AL32UTF8' AS property_value",
            "CREATE VIEW session_privs AS SELECT 'CREATE TABLE' AS privilege",
            "CREATE VIEW user_tab_partitions AS SELECT 'NONE' AS table_name, 'NONE' AS partition_name",
            "CREATE VIEW user_tables AS SELECT table_name FROM information_schema.tables"
                    + " WHERE table_schema = 'PUBLIC' AND table_type = 'BASE TABLE'",
            "CREATE ALIAS object_number FOR \"$.objectNumber\"",
            "CREATE VIEW user_objects AS SELECT table_name AS object_name, 'TABLE' AS object_type,"
                    + " object_number(table_name) AS object_id FROM user_tables",
            "CREATE ALIAS sys_context FOR \"$.context\"",
            "CREATE VIEW user_segments AS SELECT table_name AS segment_name, 65536 AS bytes"
                    + " FROM information_schema.tables UNION ALL SELECT index_name, 65536 FROM information_schema.indexes",
            "CREATE VIEW v$parameter AS SELECT 'processes' AS name, '300' AS \"VALUE\", 'FALSE' AS isdefault");

    private static int servers;

    @Override
    public Product product() {
        Product oracle = new OraclePlugin().product();
        return new Product(
                "oracle-on-h2",
                "H2",
                "the statements for Oracle, run by H2",
                "",
                List.of(),
                Set.of("h2"),
                oracle.offers(),
                "",
                List.of(),
                oracle.abilities());
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return RealServer.server(new ServerAddress("jdbc:h2:mem:" + newDatabase() + MODE, "sa", ""), () -> {});
    }

    private static String newDatabase() {
        servers++;
        String database = "oracle" + servers;
        createDictionary("jdbc:h2:mem:" + database + MODE);
        return database;
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return JdbcServer.connect(new OnH2(address), options);
    }

    static Connection connect(String url) throws SQLException {
        return adapted(Connection.class, DriverManager.getConnection(url, "sa", ""));
    }

    /** Creates the parts of Oracle's dictionary that siemload reads. */
    static void createDictionary(String url) {
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement()) {
            for (String sql : DICTIONARY) {
                statement.execute(sql.replace("$.", H2Plugin.class.getName() + "."));
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** A different number for each table that is created, even if it has the name of an earlier one. */
    public static long objectNumber(Connection connection, String table) throws SQLException {
        SessionLocal session =
                (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
        return System.identityHashCode(session.getDatabase().getMainSchema().findTableOrView(session, table));
    }

    /** A fact about the session. Only the protocol is needed. */
    public static String context(String space, String name) {
        return space.equals("USERENV") && name.equals("NETWORK_PROTOCOL") ? "tcp" : "";
    }

    private static String explained(String sql, String kind) {
        String first = kind.equalsIgnoreCase("WITH") ? "SELECT" : kind.toUpperCase(Locale.ROOT);
        PLAN.set("SELECT '|   0 | " + first + " STATEMENT    |      |'");
        return "EXPLAIN " + sql;
    }

    private static String adapted(String sql) {
        Matcher explained = EXPLAINED.matcher(sql);
        if (explained.matches()) {
            return explained(explained.group(1), explained.group(2));
        }
        if (DISPLAYED.matcher(sql).matches()) {
            return PLAN.get();
        }
        if (UNKNOWN_STATEMENTS.matcher(sql).matches()) {
            return sql.contains("?") ? NOTHING : NOTHING.replace("? IS NULL OR ", "");
        }
        return UNKNOWN_CLAUSES.matcher(sql).replaceAll("");
    }

    private static SQLException adapted(SQLException e) {
        Integer number = ORACLE_NUMBERS.get(e.getErrorCode());
        if (number == null) {
            return e;
        }
        return e instanceof BatchUpdateException batch
                ? new BatchUpdateException(e.getMessage(), e.getSQLState(), number, batch.getUpdateCounts(), e)
                : new SQLException(e.getMessage(), e.getSQLState(), number, e);
    }

    /** A proxy for an object of H2. It translates statements and errors. */
    private static <T> T adapted(Class<T> type, Object real) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (arguments != null && arguments.length > 0 && arguments[0] instanceof String sql) {
                        arguments[0] = adapted(sql);
                    }
                    try {
                        Object result = method.invoke(real, arguments);
                        Class<?> kind = method.getReturnType();
                        return Statement.class.isAssignableFrom(kind) ? adapted(kind, result) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause() instanceof SQLException error ? adapted(error) : e.getCause();
                    }
                }));
    }

    /** Oracle's dialect over connections to H2. */
    static final class OnH2 extends OracleDialect {
        private final String url;

        OnH2(ServerAddress address) {
            super(address);
            this.url = address.url();
        }

        @Override
        public Connection open(long silenceMillis) throws SQLException {
            return H2Plugin.connect(url);
        }
    }
}
