package siemload.database.duckdb;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.config.UrlForm;
import siemload.database.Abilities;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Product;
import siemload.database.Variant;
import siemload.database.sql.JdbcServer;
import siemload.query.Paging;

/** DuckDB in this process. Stateless and thread-safe. */
public final class DuckdbPlugin implements TargetPlugin {
    /** Estimated, not measured: the JSON of an event of 600 bytes, compressed, its columns and its key. */
    private static final int BYTES_PER_EVENT = 600;

    @Override
    public Product product() {
        return new Product(
                "duckdb",
                "DuckDB",
                "DuckDB 1.4, a column store in this process",
                "",
                List.of(),
                Set.of("duckdb_jdbc"),
                Set.of());
    }

    @Override
    public List<UrlForm> urlForms() {
        return List.of(
                new UrlForm("jdbc:duckdb:", "(?:[A-Za-z]:)?[\\w ./\\\\~+-]+", "", "jdbc:duckdb:/path/events.duckdb"));
    }

    /** It has no hints, and answers from indexes of one column alone, where they lead to few rows. */
    @Override
    public Abilities abilities() {
        return new Abilities(
                List.of("columns"),
                List.of(Partitions.NONE),
                List.of(IndexSet.NATIVE, IndexSet.NONE, IndexSet.TIME, IndexSet.FIELDS),
                List.of(Hint.NONE),
                List.of(Paging.OFFSET, Paging.KEYSET),
                List.of(Provision.EMBEDDED, Provision.EXTERNAL),
                BYTES_PER_EVENT);
    }

    /** What can be set is known to DuckDB alone. */
    @Override
    public Optional<String> refusal(Variant variant, Provision provision, Map<String, String> parameters) {
        return Optional.empty();
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        boolean unused = options.directory().toFile().mkdirs(); // Where that fails DuckDB says what it cannot open.
        String url =
                "jdbc:duckdb:" + options.directory().resolve("siemload.duckdb").toAbsolutePath();
        return () -> new ServerAddress(url, "", "");
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return JdbcServer.connect(new DuckdbDialect(address.url()), options);
    }
}
