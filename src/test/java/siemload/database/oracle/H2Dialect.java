package siemload.database.oracle;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;

/**
 * H2 in its Oracle mode, as far as it goes: what it does not know of Oracle's statements is taken out of them, and its
 * errors get Oracle's numbers. Searches and writes reach it as they are. Public, since H2 calls it back.
 */
public final class H2Dialect {
    private static final Pattern UNKNOWN_CLAUSES =
            Pattern.compile("\\s+PARTITION BY RANGE (?s:.*)|\\s+LOCAL\\s*$|\\s+COMPRESS 1\\b|\\s+PURGE$"
                    + "|(?<=DROP PRIMARY KEY) DROP INDEX$");
    private static final Pattern UNKNOWN_STATEMENTS = Pattern.compile(
            "(?s)(ALTER SESSION|ALTER SYSTEM|BEGIN DBMS_STATS|ALTER TABLE \\S+ (SET INTERVAL|ADD PARTITION)).*");
    private static final Pattern EXPLAINED =
            Pattern.compile("EXPLAIN PLAN SET STATEMENT_ID = 'siemload' FOR ((\\w+).*)", Pattern.DOTALL);
    private static final Pattern DISPLAYED = Pattern.compile("SELECT .* FROM TABLE\\(DBMS_XPLAN\\.DISPLAY.*");
    /** What the plan table has of the session: H2 says whether a statement is right, and in other words how it goes about it. */
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

    private H2Dialect() {}

    static Connection connect(String url) throws SQLException {
        return connect(url, executed -> {});
    }

    /** @param executed hears each statement of Oracle's that is executed, and each COMMIT, in their order */
    static Connection connect(String url, Consumer<String> executed) throws SQLException {
        return Adapted.of(Connection.class, DriverManager.getConnection(url, "sa", ""), "", executed);
    }

    /** What the suite reads of Oracle's dictionary. */
    static void createDictionary(String url) {
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE VIEW product_component_version AS SELECT '19.24.0.0.0' AS version_full");
            statement.execute("CREATE VIEW database_properties AS SELECT 'NLS_CHARACTERSET' AS property_name,"
                    + " 'AL32UTF8' AS property_value");
            statement.execute("CREATE VIEW session_privs AS SELECT 'CREATE TABLE' AS privilege");
            statement.execute(
                    "CREATE VIEW user_tab_partitions AS SELECT 'NONE' AS table_name, 'NONE' AS partition_name");
            statement.execute("CREATE VIEW user_tables AS SELECT table_name FROM information_schema.tables"
                    + " WHERE table_schema = 'PUBLIC' AND table_type = 'BASE TABLE'");
            statement.execute("CREATE ALIAS object_number FOR \"" + H2Dialect.class.getName() + ".objectNumber\"");
            statement.execute("CREATE VIEW user_objects AS SELECT table_name AS object_name, 'TABLE' AS object_type,"
                    + " object_number(table_name) AS object_id FROM user_tables");
            statement.execute("CREATE ALIAS sys_context FOR \"" + H2Dialect.class.getName() + ".context\"");
            // Names alone: H2 keeps everything in memory.
            statement.execute(
                    "CREATE VIEW user_segments AS SELECT table_name AS segment_name, 65536 AS bytes"
                            + " FROM information_schema.tables UNION ALL SELECT index_name, 65536 FROM information_schema.indexes");
            statement.execute("CREATE VIEW v$parameter AS SELECT 'processes' AS name, '300' AS \"VALUE\","
                    + " 'FALSE' AS isdefault");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Another number for each table that is made, also if it has the name of an earlier one. */
    public static long objectNumber(Connection connection, String table) throws SQLException {
        SessionLocal session =
                (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
        return System.identityHashCode(session.getDatabase().getMainSchema().findTableOrView(session, table));
    }

    /** Of the facts of a session only the protocol is asked for. */
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

    /**
     * Stands before an object of H2's.
     *
     * @param prepared what it executes unless it is told something else; empty for a connection
     */
    private record Adapted(Object real, String prepared, Consumer<String> executed) {
        static <T> T of(Class<T> type, Object real, String prepared, Consumer<String> executed) {
            Adapted adapted = new Adapted(real, prepared, executed);
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                        String sql = arguments != null && arguments.length > 0 && arguments[0] instanceof String text
                                ? text
                                : prepared;
                        adapted.tell(method.getName(), sql);
                        try {
                            return adapted.result(
                                    method.getReturnType(), method.invoke(real, translated(arguments)), sql);
                        } catch (InvocationTargetException e) {
                            throw e.getCause() instanceof SQLException error ? H2Dialect.adapted(error) : e.getCause();
                        }
                    }));
        }

        private static Object[] translated(Object[] arguments) {
            if (arguments != null && arguments.length > 0 && arguments[0] instanceof String sql) {
                arguments[0] = H2Dialect.adapted(sql);
            }
            return arguments;
        }

        private void tell(String method, String sql) {
            if (method.startsWith("execute")) {
                executed.accept(sql);
            } else if (method.equals("commit")) {
                executed.accept("COMMIT");
            }
        }

        private Object result(Class<?> type, Object result, String sql) {
            return Statement.class.isAssignableFrom(type) ? of(type, result, sql, executed) : result;
        }
    }
}
