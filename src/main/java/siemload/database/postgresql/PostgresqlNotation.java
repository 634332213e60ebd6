package siemload.database.postgresql;

import java.util.List;
import java.util.Optional;
import siemload.config.DatabaseNotation;
import siemload.config.UrlForm;
import siemload.config.UrlOptions;
import siemload.database.postgresql.connection.LibpqUrl;

/** The urls of pgjdbc, and what psql and its kin read. Stateless and thread-safe. */
public final class PostgresqlNotation implements DatabaseNotation {
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
    public String target() {
        return "postgresql";
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
    public List<String> variablePrefixes() {
        return List.of("PG");
    }
}
