package siemload.database.mongodb;

import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ServerDescription;
import com.mongodb.connection.SslSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import siemload.database.Transport;
import siemload.database.Transport.Security;

/**
 * Finds out which protocol and cipher a server and this Java agree on: the driver tells neither, so that one more connection
 * is made in its way and closed again.
 */
final class Handshake {
    private static final int PATIENCE_MILLIS = 5_000;

    private Handshake() {}

    static Transport with(ClusterDescription cluster, SslSettings settings) {
        Optional<ServerAddress> server = cluster.getServerDescriptions().stream()
                .filter(ServerDescription::isOk)
                .map(ServerDescription::getAddress)
                .findFirst();
        boolean named = !settings.isInvalidHostNameAllowed()
                && server.map(ServerAddress::getHost).filter(Handshake::isName).isPresent();
        Security security = named ? Security.HOST_NAME : Security.CERTIFICATE;
        return server.flatMap(Handshake::session)
                .map(session -> new Transport(security, session.getProtocol(), session.getCipherSuite()))
                .orElse(new Transport(security, "", ""));
    }

    /**
     * The driver always verifies the certificate. Where the url has an address instead of a name, it looks up which name that
     * address has, and verifies that one: whoever answers such questions decides which server is the right one.
     */
    private static boolean isName(String host) {
        return !host.contains(":") && !host.matches("[\\d.]+");
    }

    /** Empty where this one connection fails: the driver's own stand. */
    private static Optional<SSLSession> session(ServerAddress server) {
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(server.getHost(), server.getPort()), PATIENCE_MILLIS);
            plain.setSoTimeout(PATIENCE_MILLIS);
            SSLSocketFactory sockets = SSLContext.getDefault().getSocketFactory();
            try (SSLSocket secured =
                    (SSLSocket) sockets.createSocket(plain, server.getHost(), server.getPort(), true)) {
                secured.startHandshake();
                return Optional.of(secured.getSession());
            }
        } catch (IOException | NoSuchAlgorithmException unknown) {
            return Optional.empty();
        }
    }
}
