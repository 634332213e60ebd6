package siemload.database.postgresql;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.database.Abilities;
import siemload.database.ContainerOptions;
import siemload.database.ContainerServer;
import siemload.database.EmbeddedOptions;
import siemload.database.EmbeddedServer;
import siemload.database.ExistingTarget;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Offer;
import siemload.database.OwnLayouts;
import siemload.database.Partitions;
import siemload.database.PlanTree;
import siemload.database.Product;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.Variant;
import siemload.database.layout.ReadLayouts;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.LayoutFolders;
import siemload.database.postgresql.search.ExplainedSteps;
import siemload.database.postgresql.search.PlannerGuide;
import siemload.database.postgresql.search.PostgresqlSearchStatements;
import siemload.database.postgresql.server.EmbeddedPostgresqlServer;
import siemload.database.postgresql.server.PostgresqlContainer;
import siemload.database.postgresql.server.PostgresqlRunParameters;
import siemload.database.server.ServerTarget;
import siemload.database.sql.StatementRow;
import siemload.database.sql.layout.LayoutTexts;
import siemload.query.Paging;

/** PostgreSQL 14 or newer. Stateless and thread-safe. */
public final class PostgresqlPlugin implements TargetPlugin {
    /**
     * What the largest variant needs, layout address with indexes compound, and some more for longer lists. Tables and
     * indexes took, with 40,000 events: mentat 1,550 (native) and 1,830 (compound), address 1,730 and 1,970.
     */
    private static final int BYTES_PER_EVENT = 2_200;
    /** 153 with the key, of 800,000 accounts. */
    private static final int BYTES_PER_ACCOUNT = 160;

    @Override
    public Product product() {
        return new Product(
                "postgresql",
                "PostgreSQL",
                "PostgreSQL 14 or newer, embedded, in a container or your own",
                "sslmode=verify-full&sslrootcert=/path/root.crt in the url",
                List.of("postgres"),
                Set.of("postgresql"));
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                LayoutFolders.LABELS,
                List.of(Partitions.NONE, Partitions.DAY),
                List.of(IndexSet.NATIVE, IndexSet.NONE, IndexSet.TIME, IndexSet.FIELDS, IndexSet.COMPOUND),
                List.of(Hint.NONE, Hint.FULL_SCAN, Hint.FULL_SCAN_PARALLEL, Hint.INDEX, Hint.TIME_INDEX),
                List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR),
                List.of(Provision.EMBEDDED, Provision.CONTAINER, Provision.EXTERNAL),
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
                Offer.REPLICAS,
                Offer.REPLICATION_LAG,
                Offer.SHARED_STORES,
                Offer.STATEMENTS,
                Offer.WRITING_STATEMENTS);
    }

    @Override
    public Optional<OwnLayouts> ownLayouts() {
        return Optional.of(new ReadLayouts(
                abilities(),
                LayoutTexts.ENDING,
                Layout::of,
                Layout::of,
                variant -> new PostgresqlSearchStatements(Layout.of(variant), new PlannerGuide(variant.hint(), 1))
                        ::missingFile));
    }

    @Override
    public String rowText(byte[] row) {
        return StatementRow.text(row);
    }

    @Override
    public ExistingTarget connectExisting(ServerAddress address, TargetOptions options) {
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
                .refusal(variant.hint(), new PlannerGuide(variant.hint(), 1).settings(), provision);
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
    public Optional<PlanTree> planTree(JsonNode explained) {
        return ExplainedSteps.of(explained);
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return new ServerTarget(PostgresqlServer.connect(new PostgresqlConnections(address, options), options));
    }
}
