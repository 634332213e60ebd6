package siemload.database.oracle;

import java.util.List;
import java.util.regex.Pattern;
import siemload.config.DatabaseNotation;
import siemload.config.SecretForm;
import siemload.config.UrlForm;
import siemload.config.UrlOptions;

/** The urls of Oracle's thin driver, and its shell. Stateless and thread-safe. */
public final class OracleNotation implements DatabaseNotation {
    private static final UrlOptions OPTIONS = new UrlOptions("""
            connect_timeout enable expire_time failover https_proxy https_proxy_port javax.net.ssl.keyStore
            javax.net.ssl.keyStoreType javax.net.ssl.trustStore javax.net.ssl.trustStoreType load_balance my_wallet_directory
            oracle.jdbc.ReadTimeout oracle.jdbc.defaultRowPrefetch oracle.net.authentication_services
            oracle.net.CONNECT_TIMEOUT oracle.net.disableOob oracle.net.encryption_client
            oracle.net.encryption_types_client oracle.net.networkCompression oracle.net.OUTBOUND_CONNECT_TIMEOUT
            oracle.net.ssl_server_cert_dn oracle.net.ssl_server_dn_match oracle.net.ssl_version oracle.net.tns_admin
            oracle.net.wallet_location pool_boundary pool_connection_class pool_purity recv_buf_size retry_count retry_delay
            sdu send_buf_size ssl_allow_weak_dn_match source_route ssl_server_cert_dn ssl_server_dn_match
            ssl_version tns_admin transport_connect_timeout wallet_location""");

    @Override
    public String target() {
        return "oracle";
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
    public List<Pattern> passwordsInUrls() {
        return List.of(Pattern.compile("^jdbc:oracle:[a-z0-9]+:[^/@]+/[^@]+@", Pattern.CASE_INSENSITIVE));
    }

    @Override
    public List<SecretForm> secretForms() {
        return List.of(
                new SecretForm("(?i)(jdbc:oracle:[a-z0-9]{1,10}:)(?!@)\\S{1,300}@", "@"),
                new SecretForm("(?i)(\\bsqlplus\\b\\s{1,5}(?:-\\w{1,10}\\s{1,5}){0,5}[^\\s/@]{1,100}/)[^\\s@]{1,300}"));
    }
}
