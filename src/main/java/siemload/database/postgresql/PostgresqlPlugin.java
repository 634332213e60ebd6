package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.POWERLESS;
import static siemload.database.postgresql.PostgresqlConnections.SQL;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.config.UrlForm;
import siemload.config.UrlOptions;
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
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Offer;
import siemload.database.TargetPlugin.OwnLayouts;
import siemload.database.TargetPlugin.Product;
import siemload.database.Variant;
import siemload.database.sql.SqlStatement;
import siemload.query.Paging;

/** PostgreSQL 15 or newer. Stateless and thread-safe. */
public final class PostgresqlPlugin implements TargetPlugin {
    /**
     * What the largest variant needs, layout address with indexes compound, and some more for longer lists. Tables and
     * indexes took, with 40,000 events: mentat 1,550 (native) and 1,830 (compound), address 1,730 and 1,970.
     */
    private static final int BYTES_PER_EVENT = 2_200;

    private static final UrlOptions OPTIONS = new UrlOptions("""
            adaptiveFetch adaptiveFetchMaximum adaptiveFetchMinimum allowEncodingChanges ApplicationName assumeMinServerVersion
            autosave binaryTransfer binaryTransferDisable binaryTransferEnable cancelSignalTimeout channelBinding
            cleanupSavepoints connectTimeout currentSchema databaseMetadataCacheFields databaseMetadataCacheFieldsMiB
            defaultRowFetchSize disableColumnSanitiser escapeSyntaxCallMode groupStartupParameters gssEncMode gsslib
            gssResponseTimeout hideUnprivilegedObjects jaasApplicationName jaasLogin kerberosServerName
            localSocketAddress loginTimeout logServerErrorDetail logUnclosedConnections maxResultBuffer
            maxSendBufferSize options preferQueryMode preparedStatementCacheQueries preparedStatementCacheSizeMiB
            prepareThreshold protocolVersion quoteReturningIdentifiers readOnly readOnlyMode receiveBufferSize requireAuth
            reWriteBatchedInserts sendBufferSize service socketTimeout ssl sslcert sslkey sslmode sslNegotiation
            sslResponseTimeout sslrootcert sspiServiceClass stringtype tcpKeepAlive tcpNoDelay
            unknownLength useSpnego user""");

    @Override
    public Product product() {
        return new Product(
                "postgresql",
                "PostgreSQL",
                "PostgreSQL 15 or newer, embedded, in a container or your own",
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
    public List<UrlForm> urlForms() {
        return List.of(
                new UrlForm(
                        "jdbc:postgresql:",
                        "(?://(?:" + UrlForm.SERVERS + ")?(?:/" + UrlForm.NAME + ")?|/?" + UrlForm.NAME + ")",
                        OPTIONS,
                        "jdbc:postgresql://host:port/database?sslmode=verify-full"),
                ofPrograms("postgresql://"),
                ofPrograms("postgres://"));
    }

    private static UrlForm ofPrograms(String start) {
        return new UrlForm(
                start,
                "(?:(?:[\\w.+$-]|%40){1,100}@)?(?:" + UrlForm.SERVERS + ")?(?:/" + UrlForm.NAME + ")?",
                OPTIONS,
                "postgresql://user@host:port/database?sslmode=verify-full");
    }

    @Override
    public Optional<NamedServer> namedServer(String url, Optional<String> user) {
        return urlForms().stream().anyMatch(form -> url.startsWith(form.start()))
                ? Optional.of(LibpqUrl.server(url, user))
                : Optional.empty();
    }

    @Override
    public List<String> programsWithPasswords() {
        return List.of("psql");
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
        return PostgresqlServer.connectExisting(new PostgresqlConnections(address, options), options);
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

    /** The official image, or one that takes the same environment, set up as the embedded server. */
    @Override
    public Optional<ContainerServer> container(ContainerOptions options) {
        // The last of several values of an argument counts. A quarter of the memory is for what parallel workers share;
        // Docker's own 64 MB are soon used up. The image's first, temporary server does not listen to the network, so
        // that a login reaches the final one.
        return Optional.of(new ContainerServer(
                "postgres:18",
                5432,
                Map.of(
                        "POSTGRES_PASSWORD",
                        options.password(),
                        "POSTGRES_INITDB_ARGS",
                        "--auth-host=scram-sha-256 --encoding=UTF8 --locale=C"),
                new PostgresqlRunParameters(options.parameters())
                        .arguments(0, options.memoryBytes(), options.sessions()),
                options.memoryBytes() / 4,
                ContainerServer.Rights.FEW,
                new ServerAddress("jdbc:postgresql://{host}:{port}/postgres", "postgres", options.password()),
                EmbeddedPostgresqlServer::makePowerless));
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return PostgresqlServer.connect(new PostgresqlConnections(address, options), options);
    }

    /**
     * What a user could do.
     *
     * @param tooMuch what lets it act outside of the database, for people; empty where nothing does
     */
    record Rights(String user, String tooMuch) {
        static Rights of(Connection connection) throws SQLException {
            return SQL.read("rights").row(connection, row -> new Rights(row.getString(1), row.getString(2)));
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
