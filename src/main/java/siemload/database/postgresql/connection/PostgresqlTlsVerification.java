package siemload.database.postgresql.connection;

import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.jdbc.SslMode;
import siemload.database.Transport.Security;

/** How far the driver verifies the server of an encrypted connection, by the options of the url. */
final class PostgresqlTlsVerification {
    private static final String DRIVER = "org.postgresql.ssl.";
    private static final String USUAL = DRIVER + "LibPQFactory";

    /** The driver's own that hold the certificate against what is trusted, whatever the mode. */
    private static final Set<String> VERIFYING =
            Set.of(DRIVER + "DefaultJavaSSLFactory", DRIVER + "SingleCertValidatingFactory");

    private PostgresqlTlsVerification() {}

    /** A factory or a verifier that is not the driver's own counts as none. */
    static Security by(String url) throws SQLException {
        Properties options = Objects.requireNonNullElseGet(Driver.parseURL(url, null), Properties::new);
        SslMode mode = SslMode.of(options);
        String factory = Objects.requireNonNullElse(PGProperty.SSL_FACTORY.getOrDefault(options), USUAL);
        boolean verified = factory.equals(USUAL) ? mode.verifyCertificate() : VERIFYING.contains(factory);
        if (!verified) {
            return Security.UNVERIFIED;
        }
        boolean named = mode.verifyPeerName() && PGProperty.SSL_HOSTNAME_VERIFIER.getOrDefault(options) == null;
        return named ? Security.HOST_NAME : Security.CERTIFICATE;
    }
}
