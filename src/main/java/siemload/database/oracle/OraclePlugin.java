package siemload.database.oracle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.SearchSession.Plan;
import siemload.database.SearchSession.Plan.Access;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.Target.Transport;
import siemload.database.Target.Transport.Security;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.ContainerServer.ContainerOptions;
import siemload.database.layout.Blocks;
import siemload.database.sql.JdbcServer;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.TableGroup;
import siemload.query.Criterion;
import siemload.query.CriterionKey;
import siemload.query.EventSide;
import siemload.query.Search;

/** Oracle Database 19 or newer. Stateless and thread-safe. */
public final class OraclePlugin implements TargetPlugin {
    /** The host in {@code //host:port/service} and in {@code @host:port:SID}. A bare name has no host: the driver looks it up in a file. */
    private static final Pattern HOST = Pattern.compile("@(?:(?:tcps?:)?//)?(\\[[^\\]]+\\]|[\\w.-]+)[:/]");

    @Override
    public Map<String, String> secretForms() {
        return Map.of(
                "(?i)(jdbc:oracle:[a-z0-9]{1,10}:)(?!@)\\S{1,300}@", "$1***@",
                "(?i)(\\bsqlplus\\b\\s{1,5}(?:-\\w{1,10}\\s{1,5}){0,5}[^\\s/@]{1,100}/)[^\\s@]{1,300}", "$1***");
    }

    /** A container image that creates a user for siemload; Oracle's memory keeps its default size. */
    @Override
    public Optional<ContainerServer> container(ContainerOptions options) {
        String password = ContainerServer.newPassword();
        // The image's listener and external jobs start with the rights of their files' owner.
        return Optional.of(new ContainerServer(
                "gvenzl/oracle-free:23-slim-faststart",
                1521,
                Map.of("ORACLE_PASSWORD", password, "APP_USER", "siemload", "APP_USER_PASSWORD", password),
                List.of(),
                options.memoryBytes() / 2,
                true,
                new ServerAddress("jdbc:oracle:thin:@//{host}:{port}/FREEPDB1", "siemload", password),
                this::probe));
    }

    @Override
    public Optional<String> host(String url) {
        return HOST.matcher(url).results().map(host -> host.group(1)).findFirst();
    }

    @Override
    public Target connect(ServerAddress address, Target.TargetOptions options) {
        return JdbcServer.connect(new OracleDialect(address), options);
    }

    /** Oracle's dialect. Siemload's tables are in the user's own schema. */
    static class OracleDialect extends JdbcServer.Dialect {
        private static final String FOLDER = "/siemload/database/oracle/";
        /** The number of bytes of a large object that Oracle sends with its row; nearly every event is smaller. */
        private static final String BYTES_WITH_ROW = "16384";

        private static final int OLDEST_VERSION = 19;
        /** The number of rows in the hint FIRST_ROWS for a result without pages. */
        private static final int FIRST_OF_ALL = 100;

        private static final String CHARACTER_SET = "AL32UTF8";

        /** A line of a plan: {@code |* 2 | INDEX RANGE SCAN| SL_1_EVENT_TIME | ...}; many operations name no object. */
        private static final Pattern OPERATION =
                Pattern.compile("^\\|[* -]*\\d+ \\|\\s*([A-Z][^|]*?)\\s*\\|(?:\\s*([^| ]*)\\s*\\|)?");

        /** A line about a hint: {@code U - FULL(e) / the reason}; E marks an error, N an unknown name, U an unused hint. */
        private static final Pattern IGNORED_HINT = Pattern.compile("^\\s*(?:\\d+ - )?\\s*([ENU]) - +(.+?)\\s*$");

        private static final Map<String, String> MEANINGS = Map.of(
                "E", "an error in the hint", "N", "the hint names an unknown object", "U", "the hint was not used");

        private static final Pattern SORT = Pattern.compile("SORT ORDER BY.*|WINDOW SORT.*|WINDOW .*BUFFER SORT.*");

        private final ServerAddress address;

        OracleDialect(ServerAddress address) {
            super(
                    "Oracle",
                    Blocks.ofResource(FOLDER + "arc_event/statements", Blocks.Syntax.SQL)
                            .or(Blocks.ofResource(FOLDER + "server", Blocks.Syntax.SQL)));
            this.address = address;
        }

        @Override
        public Connection open(long silenceMillis) throws SQLException {
            Properties properties = new Properties();
            if (!address.user().isEmpty()) {
                properties.setProperty("user", address.user());
            }
            if (!address.password().isEmpty()) {
                properties.setProperty("password", address.password());
            }
            properties.setProperty("v$session.program", "siemload");
            properties.setProperty("oracle.net.CONNECT_TIMEOUT", "10000");
            properties.setProperty("oracle.jdbc.ReadTimeout", Long.toString(silenceMillis));
            properties.setProperty("oracle.jdbc.implicitStatementCacheSize", "60");
            properties.setProperty("oracle.jdbc.defaultLobPrefetchSize", BYTES_WITH_ROW);
            return DriverManager.getConnection(address.url(), properties);
        }

        /** With TLS, the driver verifies the certificate and, unless the url forbids it, the host name; it does not report the latter. */
        @Override
        public About about(SqlAccess access) {
            return access.get(
                    "connect to Oracle",
                    open -> blocks().read("about").row(open, row -> {
                        String version = row.getString(1);
                        require(
                                Integer.parseInt(version.split("\\.", 2)[0]) >= OLDEST_VERSION,
                                "the server is Oracle " + version
                                        + "; version 19 or newer is needed, since older ones do not report unused hints");
                        require(
                                CHARACTER_SET.equals(row.getString(3)),
                                "the database has the character set " + row.getString(3)
                                        + ", but events can hold any Unicode character; use a (pluggable) database with "
                                        + CHARACTER_SET);
                        require(
                                row.getLong(4) > 0,
                                "the user " + row.getString(2)
                                        + " may not create tables, but data sets are loaded into its own"
                                        + " schema; let an administrator run: GRANT CREATE TABLE TO "
                                        + row.getString(2));
                        boolean encrypted = "tcps".equalsIgnoreCase(row.getString(5));
                        return new About(
                                version,
                                encrypted ? new Transport(Security.CERTIFICATE, "tcps", "", "", "") : Transport.PLAIN);
                    }));
        }

        private static void require(boolean met, String otherwise) {
            if (!met) {
                throw new TargetException(otherwise);
            }
        }

        @Override
        protected String code(SQLException e) {
            int number = e.getErrorCode();
            return number == 0 ? "" : String.format(Locale.ROOT, "ORA-%05d", number);
        }

        @Override
        public Optional<Target.ServerUse> use(SqlAccess access) {
            String byAdministrator = " (an administrator may grant SELECT on it)";
            List<String> unseen = List.of(
                    "v$session (GRANT SELECT ON v_$session)",
                    "v$sysstat" + byAdministrator,
                    "user_ts_quotas" + byAdministrator);
            List<String> makes = List.of(
                    "tables SL_... in the user's own schema for the data set, kept for later runs",
                    "tables SL_... with a copy of the data set, dropped at the end",
                    "a permanent table SIEMLOAD_TABLES that lists what siemload has created");
            return Optional.of(access.use(blocks(), unseen, makes));
        }

        @Override
        public Map<String, String> clauses(Partitions partitions) {
            return partitions == Partitions.DAY
                    ? Map.of("partitioning", blocks().read("partitioning").sql(), "local", "LOCAL")
                    : Map.of("partitioning", "", "local", "");
        }

        @Override
        public String hint(Search search, Hint hint, IndexSet indexes, TableGroup tables) {
            return switch (hint) {
                case NONE -> "";
                case FULL_SCAN -> "/*+ FULL(e) */";
                case FULL_SCAN_PARALLEL -> "/*+ FULL(e) PARALLEL(AUTO) */";
                case INDEX -> index(ofField(search, indexes), tables);
                case TIME_INDEX -> index(List.of("time"), tables);
                case FIRST_ROWS -> "/*+ FIRST_ROWS(" + search.page().mostRows().orElse(FIRST_OF_ALL) + ") */";
            };
        }

        private static String index(List<String> indexes, TableGroup tables) {
            String names = indexes.stream()
                    .map(index -> " " + tables.name("event_" + index))
                    .collect(Collectors.joining());
            return "/*+ " + (indexes.size() == 1 ? "INDEX" : "INDEX_COMBINE") + "(e" + names + ") */";
        }

        /** The index of the searched field; for an address or port on either side, two indexes, which only a bitmap combines. */
        private static List<String> ofField(Search search, IndexSet indexes) {
            boolean hasPorts = indexes == IndexSet.FIELDS || indexes == IndexSet.COMPOUND;
            for (Criterion criterion : search.criteria()) {
                if (criterion instanceof Criterion.AddressMatches figured) {
                    return ofSide(figured.side(), "");
                } else if (criterion instanceof Criterion.AddressAndPortOnOneSide) {
                    return ofSide(EventSide.EITHER, "");
                } else if (criterion.isAbout(CriterionKey.CATEGORY)) {
                    return List.of("category");
                } else if (criterion.isAbout(CriterionKey.DETECTOR)) {
                    return List.of("device");
                } else if (criterion instanceof Criterion.PortUsed used && used.isSingle() && hasPorts) {
                    return ofSide(used.side(), "_port");
                }
            }
            return List.of("time");
        }

        private static List<String> ofSide(EventSide side, String column) {
            return switch (side) {
                case SOURCE -> List.of("source" + column);
                case TARGET -> List.of("target" + column);
                case EITHER -> List.of("source" + column, "target" + column);
            };
        }

        /** Uses EXPLAIN PLAN, since reading the plan that was really executed needs special rights. */
        @Override
        public Plan explain(Connection open, String statement, TableGroup tables) throws SQLException {
            SqlStatement.execute(open, blocks().part("explain", Map.of("statement", statement)));
            List<String> lines =
                    blocks().read("plan").rows(open, row -> Objects.requireNonNullElse(row.getString(1), ""));
            return plan(lines, tables.prefix());
        }

        /**
         * Reads a plan from the output of DBMS_XPLAN.
         *
         * @param prefix the start of all tables' names
         */
        static Plan plan(List<String> lines, String prefix) {
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
                    ignored.add(
                            MEANINGS.get(hint.group(1)) + ": " + hint.group(2).replace(prefix + "_", ""));
                }
            }
            Optional<String> refused = ignored.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", ignored));
            return new Plan(String.join("\n", lines), "txt", accesses, sorted, parallel, refused, Optional.empty());
        }

        /** Only reads of the table of events or of its indexes count. Fetching a row by the row address in an index does not count. */
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
    }
}
