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
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
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
import siemload.database.SearchException.Kind;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.ServerUse.Client;
import siemload.database.ServerUse.Question;
import siemload.database.TargetException;
import siemload.database.Transport;
import siemload.database.Transport.Security;
import siemload.database.layout.Blocks;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.sql.Dialect;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlStatement.RowReading;
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
    private static final Pattern NAME_MATCH =
            Pattern.compile("ssl_server_dn_match\\s*=\\s*(\\w*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern SERVICE_MATCH =
            Pattern.compile("ssl_allow_weak_dn_match\\s*=\\s*(\\w*)", Pattern.CASE_INSENSITIVE);
    private static final Set<String> ON = Set.of("on", "yes", "true");

    private static final int CANCELLED = 1_013;
    private static final int NO_TABLE = 942;
    private static final int NO_INDEX = 1_418;
    private static final int NO_PRIMARY_KEY = 2_441;
    private static final int NAME_TAKEN = 955;
    private static final int NO_COLUMN = 904;
    private static final int BUSY = 54;
    private static final int FIRST_NETWORK_CODE = 12_150;
    private static final int LAST_NETWORK_CODE = 12_699;
    private static final Set<Integer> LOST = Set.of(
            28, 1_012, 1_033, 1_034, 1_041, 1_089, 1_090, 1_092, 2_396, 2_399, 3_113, 3_114, 3_135, 17_002, 17_008,
            17_401, 17_410, 17_447, 17_800, 17_820, 17_902, 18_714, 25_408);
    private static final Set<Integer> REFUSED = Set.of(
            18, 20, 40, NO_TABLE, 1_017, 1_031, 1_045, 1_536, 1_562, 1_650, 1_652, 1_653, 1_654, 1_688, 1_691, 1_950,
            2_391, 2_393, 4_030, 4_031, 28_000, 28_001, 30_036);

    private static final String LOGIN = ServerAddress.LOGIN_ADVICE + ".";
    private static final String SPACE =
            "Give the user more room: ALTER USER ... QUOTA UNLIMITED ON <tablespace>, or a larger tablespace; or take a"
                    + " smaller data set.";
    private static final Map<Integer, String> ADVICE = Map.ofEntries(
            Map.entry(
                    439,
                    "The tables are partitioned by day, which this edition cannot (Enterprise, Express and Free"
                            + " Edition can)."),
            Map.entry(1_017, LOGIN),
            Map.entry(1_005, LOGIN),
            Map.entry(28_000, LOGIN),
            Map.entry(1_045, "An administrator may help: GRANT CREATE SESSION, CREATE TABLE TO <user>."),
            Map.entry(1_031, "An administrator may help: GRANT CREATE SESSION, CREATE TABLE TO <user>."),
            Map.entry(1_950, SPACE),
            Map.entry(1_536, SPACE),
            Map.entry(1_652, SPACE),
            Map.entry(1_653, SPACE),
            Map.entry(1_654, SPACE),
            Map.entry(1_688, SPACE),
            Map.entry(BUSY, "Somebody else uses this table: end the other program."),
            Map.entry(2_437, "An event id occurs twice in the data set."));

    private final ServerAddress address;

    OracleDialect(ServerAddress address) {
        super(
                "Oracle",
                Blocks.ofFolder(FOLDER + "arc_event", Syntax.SQL)
                        .or(Blocks.ofResource(FOLDER + "tables", Syntax.SQL))
                        .or(Blocks.ofResource(FOLDER + "server", Syntax.SQL)));
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

    /** The driver always verifies the certificate, and the host name unless it is told not to. */
    static Security verification(String url) {
        Matcher name = NAME_MATCH.matcher(url);
        Matcher service = SERVICE_MATCH.matcher(url);
        boolean named = !name.find() || isOn(name);
        boolean orService = service.find() && isOn(service);
        return named && !orService ? Security.HOST_NAME : Security.CERTIFICATE;
    }

    private static boolean isOn(Matcher option) {
        return ON.contains(option.group(1).toLowerCase(Locale.ROOT));
    }

    @Override
    public About about(SqlAccess access) {
        Server server = access.rows("connect to Oracle", blocks().read("about"), Server::of)
                .get(0);
        server.requireAll();
        boolean encrypted = "tcps".equalsIgnoreCase(server.protocol);
        return new About(
                server.version, encrypted ? new Transport(verification(address.url()), "tcps", "") : Transport.PLAIN);
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
    public boolean is(Fault fault, SQLException e) {
        int number = e.getErrorCode();
        return switch (fault) {
            case NO_TABLE -> number == NO_TABLE;
            case NO_INDEX -> number == NO_INDEX || number == NO_PRIMARY_KEY;
            case NAME_TAKEN -> number == NAME_TAKEN;
            case NO_COLUMN -> number == NO_COLUMN;
            case IN_USE -> number == BUSY;
        };
    }

    @Override
    protected Kind kind(SQLException e) {
        int number = e.getErrorCode();
        boolean network = number >= FIRST_NETWORK_CODE && number <= LAST_NETWORK_CODE;
        if (network || LOST.contains(number)) {
            return Kind.CONNECTION;
        } else if (number == CANCELLED) {
            return Kind.CANCELLED;
        }
        return REFUSED.contains(number) ? Kind.REFUSED : Kind.OTHER;
    }

    @Override
    protected String code(SQLException e) {
        int number = e.getErrorCode();
        return number == 0 ? "" : String.format(Locale.ROOT, "ORA-%05d", number);
    }

    @Override
    protected String advice(SQLException e) {
        return kind(e) == Kind.CONNECTION
                ? "Check host, port and service in the url (jdbc:oracle:thin:@//host:1521/service), and that the server"
                        + " and its listener run."
                : ADVICE.getOrDefault(e.getErrorCode(), "");
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
        return Optional.of(access.get("see who uses the server", open -> new OracleServerUse(open, this).use()));
    }

    /** Finds out who uses a server, over one connection. Used by one thread. */
    private record OracleServerUse(Connection connection, OracleDialect dialect) {

        private ServerUse use() {
            return ServerUse.of(
                    List.of(
                            "tables SL_... for the data set in its own schema, kept for later runs",
                            "tables SL_... that are a copy of them, dropped at the end",
                            "a table SIEMLOAD_TABLES that lists what it has made, kept"),
                    "",
                    new Question<>(
                            () -> rows(
                                    "other-sessions",
                                    row -> new Client(
                                            row.getString("program") + " of " + row.getString("username") + " ("
                                                    + row.getLong("sessions") + " sessions)",
                                            row.getLong("working"))),
                            List.of(),
                            "v$session (GRANT SELECT ON v_$session)"),
                    new Question<>(() -> number("commits").orElse(0), 0L, gap("v$sysstat")),
                    new Question<>(() -> number("quota"), OptionalLong.empty(), gap("user_ts_quotas")));
        }

        private static String gap(String view) {
            return view + " (an administrator may grant SELECT on it)";
        }

        private OptionalLong number(String block) {
            return rows(block, row -> {
                        long number = row.getLong(1);
                        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
                    })
                    .get(0);
        }

        private <T> List<T> rows(String block, RowReading<T> reading) {
            return dialect.attempt(
                    "see the " + block, () -> dialect.blocks().read(block).rows(connection, reading));
        }
    }

    @Override
    public Map<String, String> clauses(Partitions partitions) {
        return partitions == Partitions.DAY
                ? Map.of("partitioning", blocks().read("partitioning").sql(), "local", "LOCAL")
                : Map.of("partitioning", "", "local", "");
    }

    /** Oracle makes the partition of a day by itself for whoever meets its first event. */
    @Override
    public boolean loadsTogether() {
        return true;
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
