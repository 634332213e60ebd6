package siemload.database.oracle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.Transport.Security;
import siemload.database.layout.Blocks;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.sql.Dialect;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.TableGroup;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.EventSide;
import siemload.query.Search;

/** What Oracle does in its own way. Everything lies in the user's own schema. */
class OracleDialect extends Dialect {
    private static final String FOLDER = "/siemload/database/oracle/";
    private static final int CONNECT_MILLIS = 10_000;
    private static final String STATEMENTS_KEPT = "60";
    /** Bytes of a large object that come with its row; nearly every event is smaller. */
    private static final String BYTES_WITH_ROW = "16384";

    private static final int OLDEST_VERSION = 19;
    private static final String CHARACTER_SET = "AL32UTF8";
    private static final String SPACE =
            "Give the user more room: ALTER USER ... QUOTA UNLIMITED ON <tablespace>, or a larger tablespace; or take a"
                    + " smaller data set.";
    private static final String GRANT = "An administrator may help: GRANT CREATE SESSION, CREATE TABLE TO <user>.";
    private static final String ADDRESS =
            "Check host, port and service in the url (jdbc:oracle:thin:@//host:1521/service), and that the server and its"
                    + " listener run.";
    private static final String EDITION =
            "The tables are partitioned by day, which this edition cannot (Enterprise, Express and Free Edition can).";
    /** What begins with ORA-12 are the network's from 12150 to 12699. */
    private static final String ERRORS = """
            ORA-12(1[5-9]|[2-6]\\d)\\d  CONNECTION  :address
            ORA-(00028|01012|0103[34]|01041|01089|0109[02]|0239[69]|0311[34]|03135|25408)  CONNECTION  :address
            ORA-(17002|17008|17401|17410|17447|17800|17820|17902|18714)  CONNECTION  :address
            ORA-01013  CANCELLED
            ORA-00942  REFUSED/NO_TABLE
            ORA-(01418|02441)  OTHER/NO_INDEX
            ORA-00955  OTHER/NAME_TAKEN
            ORA-00054  OTHER/IN_USE  Somebody else uses this table: end the other program.
            ORA-01005  OTHER  :login.
            ORA-(01017|28000)  REFUSED  :login.
            ORA-(01031|01045)  REFUSED  :grant
            ORA-(01536|01652|01653|01654|01688|01950)  REFUSED  :space
            ORA-(00018|00020|00040|01562|01650|01691|02391|02393|0403[01]|28001|30036)  REFUSED
            ORA-00439  OTHER  :edition
            ORA-02437  OTHER  An event id occurs twice in the data set.""".replace(":login", ServerAddress.LOGIN_ADVICE)
            .replace(":grant", GRANT)
            .replace(":space", SPACE)
            .replace(":address", ADDRESS)
            .replace(":edition", EDITION);

    private final ServerAddress address;

    OracleDialect(ServerAddress address) {
        super(
                "Oracle",
                Blocks.ofResource(FOLDER + "arc_event/statements", Syntax.SQL)
                        .or(Blocks.ofResource(FOLDER + "server", Syntax.SQL)),
                ERRORS);
        this.address = address;
    }

    @Override
    public Connection open(long silenceMillis) throws SQLException {
        return DriverManager.getConnection(address.url(), properties(silenceMillis));
    }

    private Properties properties(long silenceMillis) {
        Properties properties = new Properties();
        if (!address.user().isEmpty()) {
            properties.setProperty("user", address.user());
        }
        if (!address.password().isEmpty()) {
            properties.setProperty("password", address.password());
        }
        properties.setProperty("v$session.program", "siemload");
        properties.setProperty("oracle.net.CONNECT_TIMEOUT", Integer.toString(CONNECT_MILLIS));
        properties.setProperty("oracle.jdbc.ReadTimeout", Long.toString(silenceMillis));
        properties.setProperty("oracle.jdbc.implicitStatementCacheSize", STATEMENTS_KEPT);
        properties.setProperty("oracle.jdbc.defaultLobPrefetchSize", BYTES_WITH_ROW);
        return properties;
    }

    /** The driver always verifies the certificate; whether also the host name, which it does unless the url says otherwise, nobody tells. */
    @Override
    public About about(SqlAccess access) {
        Server server =
                access.get("connect to Oracle", open -> blocks().read("about").row(open, Server::of));
        server.requireAll();
        boolean encrypted = "tcps".equalsIgnoreCase(server.protocol);
        return new About(server.version, encrypted ? new Transport(Security.CERTIFICATE, "tcps", "") : Transport.PLAIN);
    }

    /** What the server tells of itself. */
    private record Server(
            String version,
            String user,
            String characterSet,
            long createTable,
            @Nullable String protocol) {

        static Server of(ResultSet row) throws SQLException {
            return new Server(row.getString(1), row.getString(2), row.getString(3), row.getLong(4), row.getString(5));
        }

        void requireAll() {
            if (Integer.parseInt(version.split("\\.", 2)[0]) < OLDEST_VERSION) {
                throw new TargetException("the server is Oracle " + version + "; version 19 or newer is needed, which"
                        + " tells whether it followed a hint");
            }
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

    @Override
    protected String code(SQLException e) {
        int number = e.getErrorCode();
        return number == 0 ? "" : String.format(Locale.ROOT, "ORA-%05d", number);
    }

    /** Those that are not its defaults; without a right to see them there is one line that says so. */
    @Override
    public SortedMap<String, String> settings(SqlAccess access) {
        return access.get("read the settings of Oracle", open -> {
            try {
                return blocks().read("settings").map(open, row -> row.getString(2));
            } catch (SQLException e) {
                if (!is(Fault.NO_TABLE, e)) {
                    throw e;
                }
                String hidden = "not visible to this user (GRANT SELECT ON v_$parameter)";
                return new TreeMap<>(Map.of("v$parameter", hidden));
            }
        });
    }

    /** Takes about a second. */
    @Override
    public Optional<ServerUse> use(SqlAccess access) {
        String byAdministrator = " (an administrator may grant SELECT on it)";
        Map<String, String> gaps = Map.of(
                "other-sessions", "v$session (GRANT SELECT ON v_$session)",
                "transactions", "v$sysstat" + byAdministrator,
                "free-bytes", "user_ts_quotas" + byAdministrator);
        List<String> makes = List.of(
                "tables SL_... for the data set in its own schema, kept for later runs",
                "tables SL_... that are a copy of them, dropped at the end",
                "a table SIEMLOAD_TABLES that lists what it has made, kept");
        return Optional.of(access.use(blocks(), gaps, makes));
    }

    @Override
    public Map<String, String> clauses(Partitions partitions) {
        return partitions == Partitions.DAY
                ? Map.of("partitioning", blocks().read("partitioning").sql(), "local", "LOCAL")
                : Map.of("partitioning", "", "local", "");
    }

    @Override
    protected String bytes(String hex) {
        return "HEXTORAW('" + hex + "')";
    }

    @Override
    public String hint(Search search, Hint hint, IndexSet indexes, TableGroup tables) {
        return new HintText(hint, indexes, tables).of(search);
    }

    /**
     * A hint as the comment after SELECT. Two columns may hold an address or a port: only a bitmap of both their indexes
     * answers that.
     *
     * @param indexes the indexes that there are
     */
    private record HintText(Hint hint, IndexSet indexes, TableGroup tables) {
        private static final int FIRST_OF_ALL = 100;
        private static final String SOURCE_PORT = "source_port";
        private static final String TARGET_PORT = "target_port";

        /** The comment for this search; empty for none. */
        String of(Search search) {
            return switch (hint) {
                case NONE -> "";
                case FULL_SCAN -> "/*+ FULL(e) */";
                case FULL_SCAN_PARALLEL -> "/*+ FULL(e) PARALLEL(AUTO) */";
                case INDEX -> "/*+ " + fieldIndex(search) + " */";
                case TIME_INDEX -> "/*+ " + index("time") + " */";
                case FIRST_ROWS -> "/*+ FIRST_ROWS(" + search.page().mostRows().orElse(FIRST_OF_ALL) + ") */";
            };
        }

        private String fieldIndex(Search search) {
            for (Criterion criterion : search.criteria()) {
                if (criterion instanceof AddressFigured figured) {
                    return ofSide(figured.side(), "source", "target");
                } else if (criterion instanceof AddressAndPortOnOneSide) {
                    return both("source", "target");
                } else if (criterion instanceof CategoryIs) {
                    return index("category");
                } else if (criterion instanceof DetectorIs) {
                    return index("device");
                } else if (criterion instanceof PortUsed used && hasPorts()) {
                    return ofSide(used.side(), SOURCE_PORT, TARGET_PORT);
                }
            }
            return index("time");
        }

        private String ofSide(EventSide side, String source, String target) {
            return switch (side) {
                case SOURCE -> index(source);
                case TARGET -> index(target);
                case EITHER -> both(source, target);
            };
        }

        private String index(String name) {
            return "INDEX(e " + ofEvents(name) + ")";
        }

        private String both(String one, String other) {
            return "INDEX_COMBINE(e " + ofEvents(one) + " " + ofEvents(other) + ")";
        }

        private boolean hasPorts() {
            return indexes == IndexSet.FIELDS || indexes == IndexSet.COMPOUND;
        }

        private String ofEvents(String name) {
            return tables.name("event_" + name);
        }
    }

    /** By EXPLAIN PLAN: the plan that really ran may only be looked at with special rights. */
    @Override
    public Plan explain(Connection open, String statement, TableGroup tables) throws SQLException {
        SqlStatement.execute(open, blocks().part("explain", Map.of("statement", statement)));
        List<String> lines = blocks().read("plan").rows(open, row -> Objects.requireNonNullElse(row.getString(1), ""));
        return PlanText.read(lines, tables.prefix());
    }

    /** Reads what DBMS_XPLAN tells of a plan. Stateless and thread-safe. */
    static final class PlanText {
        /** {@code |*  2 |   INDEX RANGE SCAN| SL_1_EVENT_TIME | ...}; the name is empty for many an operation. */
        private static final Pattern OPERATION =
                Pattern.compile("^\\|[* -]*\\d+ \\|\\s*([A-Z][^|]*?)\\s*\\|(?:\\s*([^| ]*)\\s*\\|)?");

        /** {@code  U -  FULL(e) / the reason}; E is an error, N names what is not there, U was not used. */
        private static final Pattern IGNORED_HINT = Pattern.compile("^\\s*(?:\\d+ - )?\\s*([ENU]) - +(.+?)\\s*$");

        private static final Pattern SORT = Pattern.compile("SORT ORDER BY.*|WINDOW SORT.*|WINDOW .*BUFFER SORT.*");

        private PlanText() {}

        /**
         * Of the tables of a run.
         *
         * @param prefix how their names begin
         */
        static Plan read(List<String> lines, String prefix) {
            List<Access> accesses = new ArrayList<>();
            List<String> ignored = new ArrayList<>();
            boolean sorted = false;
            boolean parallel = false;
            boolean report = false;
            for (String line : lines) {
                Matcher operation = OPERATION.matcher(line);
                if (operation.find()) {
                    String name = operation.group(2) == null ? "" : operation.group(2);
                    access(operation.group(1), name, prefix + "_EVENT").ifPresent(accesses::add);
                    sorted |= SORT.matcher(operation.group(1)).matches();
                    parallel |= operation.group(1).equals("PX COORDINATOR");
                }
                report |= line.startsWith("Hint Report");
                Matcher hint = IGNORED_HINT.matcher(line);
                if (report && hint.matches()) {
                    ignored.add(meaning(hint.group(1)) + ": " + hint.group(2).replace(prefix + "_", ""));
                }
            }
            Optional<String> refused = ignored.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", ignored));
            return new Plan(String.join("\n", lines), Plan.Format.TEXT, accesses, sorted, parallel, refused);
        }

        /** Looking up the lists of chosen events is no access, nor is fetching a row whose place an index told. */
        private static Optional<Access> access(String operation, String name, String events) {
            if (!name.equals(events) && !name.startsWith(events + "_")) {
                return Optional.empty();
            }
            String object =
                    name.substring(events.length() - TableGroup.EVENT.length()).toLowerCase(Locale.ROOT);
            if (operation.startsWith("TABLE ACCESS")) {
                return operation.contains("FULL")
                        ? Optional.of(new Access(Access.Kind.TABLE, object))
                        : Optional.empty();
            }
            Access.Kind kind = switch (object) {
                case "event_pk" -> Access.Kind.ID_INDEX;
                case "event_time" -> Access.Kind.TIME_INDEX;
                default -> Access.Kind.FIELD_INDEX;
            };
            return Optional.of(new Access(kind, object));
        }

        private static String meaning(String mark) {
            return switch (mark) {
                case "E" -> "an error in the hint";
                case "N" -> "the hint names what is not there";
                default -> "the hint was not used";
            };
        }
    }
}
