package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.POWERLESS;
import static siemload.database.postgresql.connection.PostgresqlConnections.SQL;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.database.Abilities;
import siemload.database.ContainerServer;
import siemload.database.ContainerServer.ContainerOptions;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Offer;
import siemload.database.TargetPlugin.OwnLayouts;
import siemload.database.TargetPlugin.Product;
import siemload.database.Variant;
import siemload.database.postgresql.PlanReader.ExplainedSteps;
import siemload.database.postgresql.PostgresqlServer.About;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.server.EmbeddedPostgresqlServer;
import siemload.database.postgresql.server.PostgresqlContainer;
import siemload.database.postgresql.server.PostgresqlRunParameters;
import siemload.database.sql.SqlStatement;
import siemload.query.Paging;
import siemload.query.Statement;

/** PostgreSQL 14 or newer. Stateless and thread-safe. */
public final class PostgresqlPlugin implements TargetPlugin {
    /**
     * What the largest variant needs, layout address with indexes compound, and some more for longer lists. Tables and
     * indexes took, with 40,000 events: mentat 1,550 (native) and 1,830 (compound), address 1,730 and 1,970.
     */
    private static final int BYTES_PER_EVENT = 2_200;

    @Override
    public Product product() {
        return new Product(
                "postgresql",
                "PostgreSQL",
                "PostgreSQL 14 or newer, embedded, in a container or your own",
                "sslmode=verify-full&sslrootcert=/path/root.crt in the url",
                List.of("postgres"),
                Set.of("postgresql"),
                Set.of(
                        Offer.TRANSACTIONS,
                        Offer.DAY_REMOVAL,
                        Offer.TRENDS,
                        Offer.REPLICAS,
                        Offer.SHARED_STORES,
                        Offer.STATEMENTS,
                        Offer.WRITING_STATEMENTS));
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                Layout.Format.LABELS,
                List.of(Partitions.NONE, Partitions.DAY),
                List.of(IndexSet.NATIVE, IndexSet.NONE, IndexSet.TIME, IndexSet.FIELDS, IndexSet.COMPOUND),
                List.of(Hint.NONE, Hint.FULL_SCAN, Hint.FULL_SCAN_PARALLEL, Hint.INDEX, Hint.TIME_INDEX),
                List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR),
                List.of(Provision.EMBEDDED, Provision.CONTAINER, Provision.EXTERNAL),
                BYTES_PER_EVENT);
    }

    @Override
    public Optional<OwnLayouts> ownLayouts() {
        return Optional.of(Layout.Format.INSTANCE.own(
                abilities(), variant -> new PostgresqlSearchStatements(Layout.of(variant), variant.hint(), 1)::asked));
    }

    @Override
    public Target connectExisting(ServerAddress address, TargetOptions options) {
        return ExistingPostgresql.connect(address, options);
    }

    @Override
    public Optional<String> refusal(Variant variant) {
        if (variant.hint() == Hint.FULL_SCAN_PARALLEL && variant.paging() == Paging.CURSOR) {
            return Optional.of("hint 'full-scan-parallel' cannot be had with paging 'cursor', since PostgreSQL reads a"
                    + " cursor without workers (allowed: paging offset, keyset; or hint full-scan)");
        }
        return TargetPlugin.super.refusal(variant);
    }

    @Override
    public Optional<String> refusal(Variant variant, Provision provision, Map<String, String> parameters) {
        return new PostgresqlRunParameters(parameters)
                .refusal(variant.hint(), PostgresqlSearchStatements.settings(variant.hint(), 1), provision);
    }

    @Override
    public Optional<String> refusalFromFile(Map<String, String> parameters) {
        return new PostgresqlRunParameters(parameters).refusalFromFile();
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return EmbeddedPostgresqlServer.start(options);
    }

    @Override
    public Optional<ContainerServer> container(ContainerOptions options) {
        return Optional.of(PostgresqlContainer.of(options));
    }

    /** It takes any free port and lies in the cache. */
    @Override
    public Set<String> settingsByChance() {
        return Set.of("port", "unix_socket_directories", "external_pid_file");
    }

    @Override
    public Optional<ObjectNode> planTree(JsonNode explained) {
        return ExplainedSteps.of(explained);
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return PostgresqlServer.connect(new PostgresqlConnections(address, options), options);
    }

    /**
     * The database of a PostgreSQL server that the url names, as it is. All of its sessions are read-only from the start, but for those of a
     * run some of whose statements write.
     */
    private static final class ExistingPostgresql extends PostgresqlServer {
        private final PostgresqlConnections writing;

        private ExistingPostgresql(
                PostgresqlConnections reading, PostgresqlConnections writing, TargetOptions options, About about) {
            super(reading, options, about);
            this.writing = writing;
        }

        static ExistingPostgresql connect(ServerAddress address, TargetOptions options) {
            List<String> parameters = new PostgresqlRunParameters(options.parameters()).ofConnections();
            PostgresqlConnections connections = new PostgresqlConnections(address, options).reading(parameters);
            return connections.quick().get("connect to PostgreSQL at " + connections.where(), connection -> {
                Rights.of(connection).requireHarmless(connections.where());
                About about = About.of(connection, connections, options.sessions());
                return new ExistingPostgresql(connections, connections.with(parameters), options, about);
            });
        }

        @Override
        public List<String> rights() {
            Rights rights = connections.quick().get("see the rights of the user", Rights::of);
            return rights.writable == 0
                    ? List.of()
                    : List.of(String.format(
                            Locale.ROOT,
                            "the user %s could write to %,d tables; who only reads is kept from it by READ ONLY transactions",
                            rights.user,
                            rights.writable));
        }

        @Override
        List<String> makes() {
            return List.of();
        }

        @Override
        public Store openStatements(List<Statement> statements) {
            boolean writes = statements.stream().anyMatch(Statement::writes);
            return new PostgresqlStore.OfStatements(connections, writes ? writing : connections, statements);
        }

        @Override
        public Store openEvents() {
            return new PostgresqlStore.OfEvents(connections, searches);
        }
    }

    /**
     * What a user could do.
     *
     * @param tooMuch what lets it act outside of the database, for people; empty where nothing does
     * @param writable how many tables it could write to
     */
    record Rights(String user, String tooMuch, long writable) {
        static Rights of(Connection connection) throws SQLException {
            return SQL.read("rights")
                    .row(
                            connection,
                            row -> new Rights(
                                    row.getString("user_name"), row.getString("too_much"), row.getLong("writable")));
        }

        /**
         * Connections of a user who can do nothing outside of a database.
         *
         * @throws TargetException if this one could, and the server is not siemload's own
         */
        static PostgresqlConnections powerless(PostgresqlConnections connections, String database, Connection open)
                throws SQLException {
            if (of(open).tooMuch.isEmpty()) {
                return connections;
            }
            if (SQL.read("find-role").number(open, POWERLESS) == 0) {
                throw new TargetException("the user is a superuser on PostgreSQL at " + connections.where()
                        + ", or has such rights, which statements of a file must not have; take another user, which an"
                        + " administrator makes by: CREATE ROLE siemload LOGIN CREATEDB PASSWORD '...'");
            }
            SqlStatement.execute(open, "GRANT CREATE, CONNECT ON DATABASE \"" + database + "\" TO " + POWERLESS);
            SqlStatement.execute(open, "GRANT CREATE, USAGE ON SCHEMA public TO " + POWERLESS);
            ServerAddress own = connections.address();
            return connections.at(new ServerAddress(own.url(), POWERLESS, own.password()));
        }

        void requireHarmless(String where) {
            if (!tooMuch.isEmpty()) {
                throw new TargetException("the user " + user + " " + tooMuch + " on PostgreSQL at " + where
                        + ", and could do what no read-only session keeps it from; take a user that can only read, which an"
                        + " administrator makes by: CREATE ROLE siemload_reader LOGIN PASSWORD '...'; GRANT pg_read_all_data,"
                        + " pg_read_all_stats TO siemload_reader");
            }
        }
    }
}
