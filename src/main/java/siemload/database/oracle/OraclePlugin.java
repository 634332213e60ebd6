package siemload.database.oracle;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import siemload.config.UrlForm;
import siemload.database.Abilities;
import siemload.database.ContainerServer;
import siemload.database.ContainerServer.ContainerOptions;
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

/** Oracle Database 19 or newer. Stateless and thread-safe. */
public final class OraclePlugin implements TargetPlugin {
    /** Estimated, not measured: the JSON, the columns and six indexes of an event of 600 bytes. */
    private static final int BYTES_PER_EVENT = 1_900;

    private static final String USER = "siemload";
    private static final int SHARED_PART = 2;
    /** Others of a session change whose schema it is in, or make the server write dumps and traces. */
    private static final Pattern OF_THE_OPTIMIZER = Pattern.compile(
            "(optimizer|parallel|result_cache|inmemory|cursor)_\\w+|(hash|sort|bitmap_merge)_area_size|\\w*workarea_size_policy"
                    + "|db_file_multiblock_read_count|statistics_level|star_transformation_enabled|query_rewrite_\\w+",
            Pattern.CASE_INSENSITIVE);

    /** Of {@code //host:port/service} and of {@code @host:port:SID}. A name alone stands in a file elsewhere. */
    private static final Pattern HOST = Pattern.compile("@(?:(?:tcps?:)?//)?(\\[[^\\]]+\\]|[\\w.-]+)[:/]");

    private static final String OPTIONS = """
            connect_timeout enable expire_time failover https_proxy https_proxy_port javax.net.ssl.keyStore
            javax.net.ssl.keyStoreType javax.net.ssl.trustStore javax.net.ssl.trustStoreType load_balance my_wallet_directory
            oracle.jdbc.ReadTimeout oracle.jdbc.defaultRowPrefetch oracle.net.authentication_services
            oracle.net.CONNECT_TIMEOUT oracle.net.disableOob oracle.net.encryption_client
            oracle.net.encryption_types_client oracle.net.networkCompression oracle.net.OUTBOUND_CONNECT_TIMEOUT
            oracle.net.ssl_server_cert_dn oracle.net.ssl_server_dn_match oracle.net.ssl_version oracle.net.tns_admin
            oracle.net.wallet_location pool_boundary pool_connection_class pool_purity recv_buf_size retry_count retry_delay
            sdu send_buf_size ssl_allow_weak_dn_match source_route ssl_server_cert_dn ssl_server_dn_match
            ssl_version tns_admin transport_connect_timeout wallet_location""";

    @Override
    public Product product() {
        return new Product(
                "oracle",
                "Oracle Database",
                "Oracle Database 19 or newer, in a container or your own",
                "jdbc:oracle:thin:@tcps://host:port/service as the url",
                List.of("ora_", "oracle"),
                Set.of("ojdbc11"),
                Set.of());
    }

    @Override
    public List<UrlForm> urlForms() {
        return List.of(new UrlForm(
                "jdbc:oracle:thin:",
                "(?:[A-Za-z][\\w$#]*)?@(?:(?:(?:tcps?:)?//)?" + UrlForm.SERVERS + "(?:/" + UrlForm.NAME
                        + "(?::(?:dedicated|shared|pooled|emon))?(?:/" + UrlForm.NAME + ")?|:[\\w$]+)?)",
                OPTIONS,
                "jdbc:oracle:thin:@tcps://host:port/service"));
    }

    @Override
    public Map<String, String> secretForms() {
        return Map.of(
                "(?i)(jdbc:oracle:[a-z0-9]{1,10}:)(?!@)\\S{1,300}@", "$1***@",
                "(?i)(\\bsqlplus\\b\\s{1,5}(?:-\\w{1,10}\\s{1,5}){0,5}[^\\s/@]{1,100}/)[^\\s@]{1,300}", "$1***");
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                List.of("arc_event"),
                List.of(Partitions.DAY, Partitions.NONE),
                List.of(IndexSet.NATIVE, IndexSet.NONE, IndexSet.TIME, IndexSet.FIELDS, IndexSet.COMPOUND),
                List.of(
                        Hint.NONE,
                        Hint.FULL_SCAN,
                        Hint.FULL_SCAN_PARALLEL,
                        Hint.INDEX,
                        Hint.TIME_INDEX,
                        Hint.FIRST_ROWS),
                List.of(Paging.OFFSET, Paging.KEYSET),
                List.of(Provision.CONTAINER, Provision.EXTERNAL),
                BYTES_PER_EVENT);
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
        return HOST.matcher(url).results().map(host -> host.group(1)).findFirst();
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return JdbcServer.connect(new OracleDialect(address), options);
    }
}
