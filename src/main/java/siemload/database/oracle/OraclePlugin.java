package siemload.database.oracle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.database.Abilities;
import siemload.database.ContainerServer;
import siemload.database.ContainerServer.ContainerOptions;
import siemload.database.Counters;
import siemload.database.ExistingEvents;
import siemload.database.ExistingTarget;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Plan;
import siemload.database.Product;
import siemload.database.Provision;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.StatementStore;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Offer;
import siemload.database.TargetPlugin.OwnLayouts;
import siemload.database.Transport;
import siemload.database.Variant;
import siemload.database.layout.ReadLayouts;
import siemload.database.server.Canceller;
import siemload.database.server.Portions;
import siemload.database.server.ServerTarget;
import siemload.database.server.Watchers;
import siemload.database.sql.AskedStatements;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlStatementStore;
import siemload.database.sql.StatementAsker;
import siemload.database.sql.StatementRow;
import siemload.database.sql.layout.EventQueries;
import siemload.database.sql.layout.LayoutTexts;
import siemload.database.sql.layout.QueriedEvents;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Statement;
import siemload.query.StatementText;

/** Oracle Database 19 or newer. Stateless and thread-safe. */
public final class OraclePlugin implements TargetPlugin {
    /** Estimated, not measured: the JSON, the columns and six indexes of an event of 600 bytes. */
    private static final int BYTES_PER_EVENT = 1_900;
    /** Estimated, not measured: the columns, and the entry of the key. */
    private static final int BYTES_PER_ACCOUNT = 150;

    private static final String USER = "siemload";
    private static final int SHARED_PART = 2;
    /** Others of a session change whose schema it is in, or make the server write dumps and traces. */
    private static final Pattern OF_THE_OPTIMIZER = Pattern.compile(
            "(optimizer|parallel|result_cache|inmemory|cursor)_\\w+|(hash|sort|bitmap_merge)_area_size|\\w*workarea_size_policy"
                    + "|db_file_multiblock_read_count|statistics_level|star_transformation_enabled|query_rewrite_\\w+",
            Pattern.CASE_INSENSITIVE);

    /** Of {@code //host:port/service}, of the long form, and of {@code @host:port:SID}. A short name stands in a file elsewhere. */
    private static final Pattern HOST = Pattern.compile(
            "(?<!/)//(?!/)(?:[^/?@]*@)?(?<url>\\[[^\\]]+\\]|[^/?:,]+)|\\(\\s*HOST\\s*=\\s*(?<descriptor>[^)\\s]+)\\s*\\)"
                    + "|^jdbc:oracle:[^@]*@(?!tcps?://)(?<short>\\[[^\\]]+\\]|[^/?:,(]+)[:/]",
            Pattern.CASE_INSENSITIVE);

    @Override
    public Product product() {
        return new Product(
                "oracle",
                "Oracle Database",
                "Oracle Database 19 or newer, in a container or your own",
                "jdbc:oracle:thin:@tcps://host:port/service as the url",
                List.of("ora_", "oracle"),
                Set.of("ojdbc11"));
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                OracleLayout.LABELS,
                List.of(Partitions.DAY, Partitions.NONE),
                List.of(IndexSet.NATIVE, IndexSet.NONE, IndexSet.TIME, IndexSet.FIELDS, IndexSet.COMPOUND),
                OracleLayout.HINTS,
                OracleLayout.PAGINGS,
                List.of(Provision.CONTAINER, Provision.EXTERNAL),
                BYTES_PER_EVENT,
                BYTES_PER_ACCOUNT);
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(
                Offer.ACCOUNTS,
                Offer.DAY_REMOVAL,
                Offer.TRENDS,
                Offer.SESSION_COUNTS,
                Offer.SHARED_STORES,
                Offer.STATEMENTS);
    }

    @Override
    public String rowText(byte[] row) {
        return StatementRow.text(row);
    }

    @Override
    public Optional<OwnLayouts> ownLayouts() {
        return Optional.of(new ReadLayouts(
                abilities(),
                LayoutTexts.ENDING,
                OracleLayout::of,
                (layout, partitions) -> OracleLayout.of(partitions),
                variant -> OracleSearchStatements.ofOthers(OracleLayout.of(variant), variant.hint())::missingFile));
    }

    @Override
    public ExistingTarget connectExisting(ServerAddress address, TargetOptions options) {
        return ExistingOracle.connect(OracleConnections.of(address, options), options.variant());
    }

    /** What a session can set is known to the server alone. */
    @Override
    public Optional<String> refusal(Variant variant, Provision provision, Map<String, String> parameters) {
        return Optional.empty();
    }

    @Override
    public Optional<String> refusalFromFile(Map<String, String> parameters) {
        return parameters.keySet().stream()
                .filter(name -> !OF_THE_OPTIMIZER.matcher(name).matches())
                .findFirst()
                .map(name ->
                        name + " cannot be set by a file: only parameters of optimizer, parallelism and memory can");
    }

    /** An image that makes a user of its own, with the memory that Oracle gives itself. */
    @Override
    public Optional<ContainerServer> container(ContainerOptions options) {
        return Optional.of(new ContainerServer(
                "gvenzl/oracle-free:23-slim-faststart",
                1521,
                Map.of(
                        "ORACLE_PASSWORD", options.password(),
                        "APP_USER", USER,
                        "APP_USER_PASSWORD", options.password()),
                List.of(),
                options.memoryBytes() / SHARED_PART,
                // The listener and external jobs start with the rights of their files' owner.
                ContainerServer.Rights.USUAL,
                new ServerAddress("jdbc:oracle:thin:@//{host}:{port}/FREEPDB1", USER, options.password()),
                this::probe));
    }

    @Override
    public Optional<String> host(String url) {
        Matcher host = HOST.matcher(url);
        return host.find()
                ? Stream.of("url", "descriptor", "short")
                        .map(host::group)
                        .filter(Objects::nonNull)
                        .findFirst()
                : Optional.empty();
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        OracleConnections connections = OracleConnections.of(address, options);
        return new ServerTarget(OracleServer.connect(connections, Tablespaces.of(address.url()), options.variant()));
    }

    /** What an Oracle user may see, as it is. Each transaction in which a statement is asked begins as READ ONLY. */
    record ExistingOracle(OracleConnections connections, Variant variant, String version, Transport transport)
            implements ExistingTarget {

        static ExistingOracle connect(OracleConnections connections, Variant variant) {
            OracleServer.About about = OracleServer.About.of(connections);
            about.requireVersion();
            connections.checkParameters();
            Rights.of(connections).requireHarmless();
            return new ExistingOracle(connections, variant, about.version(), connections.transport(about.protocol()));
        }

        /**
         * What the user could do.
         *
         * @param powers how many rights it has on tables of anybody, or on the server itself
         * @param firstPower one of them; empty where there is none
         * @param writable how many tables it could write to
         */
        private record Rights(String user, long powers, String firstPower, long writable) {
            static Rights of(OracleConnections connections) {
                return connections
                        .quick()
                        .rows("see the rights of the user", TableGroup.FILES.read("server/rights.sql"), Rights::of)
                        .get(0);
            }

            private static Rights of(ResultSet row) throws SQLException {
                return new Rights(
                        row.getString("user_name"),
                        row.getLong("powers"),
                        Objects.requireNonNullElse(row.getString("first_power"), ""),
                        row.getLong("writable"));
            }

            void requireHarmless() {
                if (powers > 0) {
                    throw new TargetException(String.format(
                            Locale.ROOT,
                            "the user %s has the right %s%s, and could do what no READ ONLY transaction keeps it from; take a"
                                    + " user that can only read, which an administrator makes by: CREATE USER siemload_reader"
                                    + " IDENTIFIED BY ...; GRANT CREATE SESSION TO siemload_reader; GRANT READ ON ... TO siemload_reader",
                            user,
                            firstPower,
                            powers > 1 ? String.format(Locale.ROOT, " and %,d more", powers - 1) : ""));
                }
            }
        }

        @Override
        public List<String> rights() {
            Rights rights = Rights.of(connections);
            return rights.writable == 0
                    ? List.of()
                    : List.of(String.format(
                            Locale.ROOT,
                            "the user %s could write to %,d tables; who only reads is kept from it by READ ONLY transactions",
                            rights.user,
                            rights.writable));
        }

        @Override
        public SortedMap<String, String> settings() {
            return connections.settings();
        }

        @Override
        public Optional<ServerUse> use() {
            return Optional.of(OracleServerUse.at(connections, List.of()));
        }

        @Override
        public StatementStore open(List<Statement> statements) {
            return new ExistingOracleStore(connections, statements);
        }

        @Override
        public ExistingEvents openEvents() {
            return new EventsOracleStore(connections, OracleLayout.of(variant), variant.hint());
        }

        @Override
        public void close() {}

        /** Tables that were there before the run, and stay as they are. */
        static final class ExistingOracleStore implements SqlStatementStore {
            private final OracleConnections connections;
            private final AskedStatements statements;
            private final ScheduledExecutorService watchers = Watchers.start();

            ExistingOracleStore(OracleConnections connections, List<Statement> statements) {
                this.connections = connections;
                this.statements = new AskedStatements(statements, UnaryOperator.identity());
            }

            @Override
            public SearchSession openSession() {
                return openAsker();
            }

            @Override
            public StatementAsker openAsker() {
                return new OracleStatementSession(
                        connections.ofRun().connected("open a session"), watchers, statements);
            }

            @Override
            public String codes() {
                return "";
            }

            @Override
            public Optional<Counters> openCounters() {
                return Optional.of(new OracleCounters(connections.ofRun(), CountedObjects.OF_USERS));
            }

            @Override
            public void close() {
                watchers.shutdownNow();
            }
        }

        /**
         * Tables that were there before the run, whose events are searched by a layout without loading. Each search is a transaction of its
         * own, which begins as READ ONLY.
         */
        private static final class EventsOracleStore implements QueriedEvents {
            private final OracleConnections connections;
            private final OracleLayout layout;
            private final Hint hint;
            private final OracleSearchStatements statements;
            private final ScheduledExecutorService watchers = Watchers.start();

            EventsOracleStore(OracleConnections connections, OracleLayout layout, Hint hint) {
                this.connections = connections;
                this.layout = layout;
                this.hint = hint;
                this.statements = OracleSearchStatements.ofOthers(layout, hint);
            }

            @Override
            public SearchSession openSession() {
                return session(statements);
            }

            @Override
            public SearchSession openSession(Hint other) {
                return session(other == hint ? statements : OracleSearchStatements.ofOthers(layout, other));
            }

            private SearchSession session(OracleSearchStatements written) {
                RunConnection connection = connections.ofRun().connected("open a session");
                return new OracleSession(
                        connection, OracleAnswers.OF_OTHERS, written, connections.searchTimeout(), watchers);
            }

            @Override
            public Optional<Counters> openCounters() {
                return Optional.of(new OracleCounters(connections.ofRun(), CountedObjects.OF_USERS));
            }

            @Override
            public EventQueries queries() {
                RunConnection connection = connections.ofRun().connected("look at the events");
                Asking asking = new Asking(
                        connection, new StoppableStatement(new Canceller(watchers, connection.timeout(), "")));
                return new EventQueries(asking, layout.texts(), "Oracle");
            }

            /** Asks in transactions that begin as READ ONLY. */
            private record Asking(RunConnection connection, StoppableStatement stoppable)
                    implements EventQueries.Asking {
                @Override
                public <T> T ask(String query, EventQueries.Answer<T> answer) {
                    return OracleConnections.reading(
                            connection, open -> stoppable.execute(connection.statement(query), answer::of));
                }

                @Override
                public Optional<String> insteadOf(String type) {
                    return type.equals("DATE") || (type.startsWith("TIMESTAMP") && !type.contains("ZONE"))
                            ? Optional.empty()
                            : Optional.of(
                                    "TIMESTAMP or DATE in UTC, which time.sql makes of a time with a zone by SYS_EXTRACT_UTC");
                }

                @Override
                public Instant time(ResultSet row, int column) throws SQLException {
                    return ColumnValues.readTime(row.getObject(column, LocalDateTime.class));
                }

                @Override
                public void close() {
                    connection.close();
                }
            }

            @Override
            public void close() {
                watchers.shutdownNow();
            }
        }

        /**
         * Asks statements of users over one connection. Each is a transaction of its own that begins as READ ONLY, in which the server
         * lets a query write nothing but by a function with a transaction of its own. Rows come in portions; values are sent as text.
         */
        private static final class OracleStatementSession implements StatementAsker {
            private static final SqlStatement PLAN = TableGroup.FILES.read("tables/plan.sql");
            private static final String EXPLAIN = "tables/explain.sql";
            /** A value that is not known yet: a text like all others, so that the server finds the same functions. */
            private static final String UNKNOWN = "TO_CHAR(NULL)";

            private final RunConnection connection;
            private final AskedStatements statements;
            private final Canceller stop;
            private final StoppableStatement stoppable;

            /** @param watchers carry out what stops a statement */
            OracleStatementSession(
                    RunConnection connection, ScheduledExecutorService watchers, AskedStatements statements) {
                this.connection = connection;
                this.statements = statements;
                this.stop = new Canceller(watchers, connection.timeout(), "");
                this.stoppable = new StoppableStatement(stop);
            }

            @Override
            public Optional<String> refusal(Statement statement) {
                List<String> operations = PlanText.operations(explained(statement.text(), parameter -> UNKNOWN));
                if (operations.isEmpty() || !operations.get(0).equals("SELECT STATEMENT")) {
                    return Optional.of("it is no query (allowed: what can only read, such as SELECT)");
                }
                return operations.contains("FOR UPDATE")
                        ? Optional.of("it locks rows, but data that are there already are only read")
                        : Optional.empty();
            }

            @Override
            public List<String> values(String query, int most) {
                String sql = statements.sql(StatementText.scan(query).statement());
                return reading(sql, List.of(), question -> StatementAsker.onlyColumn(question, query, most));
            }

            @Override
            public long search(Search search, RowReader rows) {
                AskedStatements.Asked asked = statements.of(search);
                return reading(asked.sql(), asked.statement().values(search), statement -> {
                    statement.setFetchSize(Portions.ROWS);
                    try (ResultSet result = statement.executeQuery()) {
                        return StatementRow.readAll(
                                result, StatementRow.Reading.TEXT, OracleErrors.INSTANCE, stop.checked(rows));
                    }
                });
            }

            @Override
            public Optional<String> statement(Search search, PageClass page) {
                return Optional.of(
                        OracleStatementTimes.name(statements.of(search).sql()));
            }

            /** As the optimizer would do it with these values, without doing it. */
            @Override
            public Plan explain(Search search) {
                Statement asked = statements.of(search).statement();
                Iterator<String> values = asked.values(search).iterator();
                return PlanText.readOfOthers(explained(asked.text(), parameter -> literal(values.next())));
            }

            private static String literal(String text) {
                return "'" + text.replace("'", "''") + "'";
            }

            /** By EXPLAIN PLAN, which writes into a temporary table of the session; that is rolled back. */
            private List<String> explained(StatementText text, UnaryOperator<String> parameter) {
                String statement = text.written(UnaryOperator.identity(), parameter);
                String explaining = TableGroup.FILES.filled(EXPLAIN, Map.of("statement", statement));
                return connection.answer(open -> {
                    connection.begin();
                    try {
                        SqlStatement.execute(open, explaining);
                        return PLAN.rows(open, row -> Objects.requireNonNullElse(row.getString(1), ""));
                    } finally {
                        connection.rollBack();
                    }
                });
            }

            private <T> T reading(String sql, List<String> values, StoppableStatement.Execution<T> execution) {
                return OracleConnections.reading(
                        connection, open -> stoppable.execute(connection.statement(sql, values), execution));
            }

            @Override
            public void cancel() {
                stop.press();
            }

            @Override
            public void close() {
                connection.close();
            }
        }
    }
}
