package siemload.database.duckdb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import siemload.database.Partitions;
import siemload.database.SearchSession.Plan;
import siemload.database.SearchSession.Plan.Access;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.database.layout.Blocks;
import siemload.database.sql.JdbcServer;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.TableGroup;

/** DuckDB in this process. Stateless and thread-safe. */
public final class DuckdbPlugin implements TargetPlugin {
    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        boolean unused = options.directory().toFile().mkdirs(); // If that fails, DuckDB says what it cannot open.
        String url =
                "jdbc:duckdb:" + options.directory().resolve("siemload.duckdb").toAbsolutePath();
        return () -> new ServerAddress(url, "", "");
    }

    @Override
    public Target connect(ServerAddress address, Target.TargetOptions options) {
        return JdbcServer.connect(new DuckdbDialect(address.url()), options);
    }

    /** DuckDB's dialect. All connections of a process share one open file, and an extra connection keeps the file open. */
    static final class DuckdbDialect extends JdbcServer.Dialect {
        private static final ObjectMapper JSON = new ObjectMapper();

        private static final Access TABLE = new Access(Access.Kind.TABLE, TableGroup.EVENT);

        private final String url;
        private Optional<Connection> anchor = Optional.empty();

        DuckdbDialect(String url) {
            super("DuckDB", Blocks.ofResource("/siemload/database/duckdb/duckdb", Blocks.Syntax.SQL));
            this.url = url;
        }

        /** Opens a connection that streams results and fetches no extension from the network. */
        @Override
        public synchronized Connection open(long silenceMillis) throws SQLException {
            String options = url + ";jdbc_stream_results=true;autoinstall_known_extensions=false";
            if (anchor.isEmpty()) {
                anchor = Optional.of(DriverManager.getConnection(options));
            }
            return DriverManager.getConnection(options);
        }

        @Override
        public synchronized void close() {
            anchor.ifPresent(SqlAccess::closeQuietly);
            anchor = Optional.empty();
        }

        /** Gives each table a mark, since tables keep no identity once their file is closed. */
        @Override
        public Map<String, String> clauses(Partitions partitions) {
            return Map.of("mark", UUID.randomUUID().toString());
        }

        /** DuckDB's errors have neither codes nor SQLSTATEs; only the error that the driver is missing has an SQLSTATE. */
        @Override
        protected String known(SQLException e) {
            return "08001".equals(e.getSQLState()) ? "08001" : message(e);
        }

        @Override
        protected String code(SQLException e) {
            int end = message(e).indexOf(" Error: ");
            return end < 0 ? "" : message(e).substring(0, end);
        }

        @Override
        public boolean plansWithLimits() {
            return true;
        }

        @Override
        public TableGroup.Rows rows(Connection open, TableGroup tables, String table) throws SQLException {
            return new Appended(open, tables.name(table));
        }

        /** Runs the search, since DuckDB reports the index in use only afterwards. */
        @Override
        public Plan explain(Connection open, String statement, TableGroup tables) throws SQLException {
            String text = SqlStatement.of(blocks().part("explain", Map.of("statement", statement)))
                    .row(open, row -> row.getString(2));
            JsonNode plan = known(() -> JSON.readTree(text));
            List<Access> accesses = new ArrayList<>();
            boolean sorted = false;
            for (JsonNode name : plan.findValues("type")) {
                sorted |= name.asText().startsWith("ORDER_BY") || name.asText().startsWith("TOP_N");
                if (name.asText().equals("EMPTY_RESULT")) {
                    accesses.add(TABLE); // The table's minimum and maximum rule out any row.
                }
            }
            plan.findParents("Table").stream()
                    .filter(scan -> scan.path("Table").asText().endsWith(tables.eventTable()))
                    .forEach(scan -> accesses.add(access(scan)));
            return new Plan(text, "json", accesses, sorted);
        }

        private static Access access(JsonNode scan) {
            if (!scan.path("Type").asText().equals("Index Scan")) {
                return TABLE;
            }
            String column = scan.path("Filters").toString().replaceAll("^\\W*(\\w+).*", "$1");
            Access.Kind other = column.equals("end_time") ? Access.Kind.TIME_INDEX : Access.Kind.FIELD_INDEX;
            return new Access(column.equals("event_id") ? Access.Kind.ID_INDEX : other, "index of " + column);
        }

        private static <T> T known(Callable<T> call) throws SQLException {
            try {
                return call.call();
            } catch (Exception e) {
                throw e.getCause() instanceof SQLException known
                        ? known
                        : new SQLException("DuckDB's driver behaves differently than siemload expects: " + e, e);
            }
        }

        /** Adds rows with the driver's appender, through reflection, since siemload also compiles without the driver. */
        private static final class Appended implements TableGroup.Rows {
            private final Object appender;
            /** The appender's methods: the key of a method that appends a value is the value's type; the key of any other is its name. */
            private final Map<Object, Method> methods = new HashMap<>();

            Appended(Connection open, String table) throws SQLException {
                appender = known(() -> open.getClass()
                        .getMethod("createAppender", String.class)
                        .invoke(open, table));
                for (Method method : appender.getClass().getMethods()) {
                    boolean appends = method.getName().equals("append") && method.getParameterCount() == 1;
                    methods.put(appends ? method.getParameterTypes()[0] : method.getName(), method);
                }
                // One thread opens the appender, and others use it in turn, passing it on through a queue.
                call("unsafeBreakThreadConfinement");
            }

            private void call(Object method, Object... values) throws SQLException {
                Method known = Objects.requireNonNull(methods.get(method), method::toString);
                Object unused = known(() -> known.invoke(appender, values));
            }

            @Override
            public void add(@Nullable Object... row) throws SQLException {
                call("beginRow");
                for (Object value : row) {
                    if (value == null) {
                        call("appendNull");
                    } else {
                        call(value.getClass(), value);
                    }
                }
                call("endRow");
            }

            @Override
            public void send() throws SQLException {
                call("flush");
            }

            @Override
            public void close() throws SQLException {
                call("close");
            }
        }
    }
}
