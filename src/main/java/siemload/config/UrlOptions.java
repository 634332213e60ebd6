package siemload.config;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The options of a driver that may stand in a url, since none of them holds a secret or names a class that is run. A list of
 * what is allowed, since drivers add options that hold secrets. Immutable.
 */
final class UrlOptions {
    static final UrlOptions POSTGRESQL = new UrlOptions("""
            adaptiveFetch adaptiveFetchMaximum adaptiveFetchMinimum allowEncodingChanges ApplicationName assumeMinServerVersion
            autosave binaryTransfer binaryTransferDisable binaryTransferEnable cancelSignalTimeout channelBinding
            cleanupSavepoints connectTimeout currentSchema databaseMetadataCacheFields databaseMetadataCacheFieldsMiB
            defaultRowFetchSize disableColumnSanitiser escapeSyntaxCallMode groupStartupParameters gssEncMode gsslib
            gssResponseTimeout hideUnprivilegedObjects hostRecheckSeconds jaasApplicationName jaasLogin kerberosServerName
            loadBalanceHosts localSocketAddress loginTimeout logServerErrorDetail logUnclosedConnections maxResultBuffer
            maxSendBufferSize options preferQueryMode preparedStatementCacheQueries preparedStatementCacheSizeMiB
            prepareThreshold protocolVersion quoteReturningIdentifiers readOnly readOnlyMode receiveBufferSize requireAuth
            reWriteBatchedInserts sendBufferSize service socketTimeout ssl sslcert sslkey sslmode sslNegotiation
            sslResponseTimeout sslrootcert sspiServiceClass stringtype targetServerType tcpKeepAlive tcpNoDelay
            unknownLength useSpnego user""");

    static final UrlOptions MONGODB = new UrlOptions("""
            appName authMechanism authSource compressors connectTimeoutMS directConnection gssapiServiceName
            heartbeatFrequencyMS journal loadBalanced localThresholdMS maxConnecting maxIdleTimeMS maxLifeTimeMS maxPoolSize
            maxStalenessSeconds minPoolSize proxyHost proxyPort readConcernLevel readPreference readPreferenceTags replicaSet
            retryReads retryWrites safe serverMonitoringMode serverSelectionTimeoutMS slaveOk socketTimeoutMS srvMaxHosts
            srvServiceName ssl sslInvalidHostNameAllowed timeoutMS tls tlsAllowInvalidHostnames tlsInsecure uuidRepresentation
            w waitQueueTimeoutMS wtimeoutMS zlibCompressionLevel""");

    static final UrlOptions ORACLE = new UrlOptions("""
            connect_timeout enable expire_time failover https_proxy https_proxy_port javax.net.ssl.keyStore
            javax.net.ssl.keyStoreType javax.net.ssl.trustStore javax.net.ssl.trustStoreType load_balance my_wallet_directory
            oracle.jdbc.ReadTimeout oracle.jdbc.defaultRowPrefetch oracle.net.authentication_services
            oracle.net.CONNECT_TIMEOUT oracle.net.disableOob oracle.net.encryption_client
            oracle.net.encryption_types_client oracle.net.networkCompression oracle.net.OUTBOUND_CONNECT_TIMEOUT
            oracle.net.ssl_server_cert_dn oracle.net.ssl_server_dn_match oracle.net.ssl_version oracle.net.tns_admin
            oracle.net.wallet_location pool_boundary pool_connection_class pool_purity recv_buf_size retry_count retry_delay
            sdu send_buf_size ssl_allow_weak_dn_match siemload.data siemload.indexes source_route ssl_server_cert_dn ssl_server_dn_match
            ssl_version tns_admin transport_connect_timeout wallet_location""");

    /** For databases that are not known here. */
    static final UrlOptions NONE = new UrlOptions("");

    private static final Pattern VALUE = Pattern.compile("[\\w.,:/=@%+*()$~-]{0,500}");
    /** With anything between them, a name and a password could stand there together. */
    private static final Pattern USER = Pattern.compile("[\\w.@%+$#-]{1,100}");

    private final Set<String> names;

    private UrlOptions(String names) {
        this.names = Set.of(names.strip().toLowerCase(Locale.ROOT).split("\\s+"));
    }

    /** Whether this is one of them, as {@code name=value}. */
    boolean allow(String option) {
        String[] parts = option.split("=", 2);
        if (parts.length < 2 || !names.contains(parts[0].toLowerCase(Locale.ROOT))) {
            return false;
        }
        return (parts[0].equalsIgnoreCase("user") ? USER : VALUE)
                .matcher(parts[1])
                .matches();
    }
}
