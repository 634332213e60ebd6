package siemload.database.mongodb;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static siemload.database.mongodb.MongodbErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ServerDescription;
import com.mongodb.connection.SslSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import siemload.database.ServerAddress;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.Transport;

/** Opens clients of one server; each is a pool of connections. Immutable and thread-safe. */
final class MongodbConnections {
    private static final String DEFAULT_DATABASE = "siemload";
    private static final int CONNECT_SECONDS = 10;
    private static final int PATIENCE_MILLIS = 5_000;
    /** How much longer than the search timeout a silent network is waited for. */
    private static final Duration SILENCE = Duration.ofSeconds(5);
    /** Beside the sessions: a run's own looking after its copy, and a request to stop a search. */
    private static final int OWN_CONNECTIONS = 3;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .build();
    private static final Pattern AUTHENTICATION_DATABASE =
            Pattern.compile("[?&]authSource=([^&]+)", Pattern.CASE_INSENSITIVE);

    private final ServerAddress address;
    private final ConnectionString url;
    private final TargetOptions options;

    /** @throws TargetException if the URL is not one of MongoDB */
    MongodbConnections(ServerAddress address, TargetOptions options) {
        this.address = address;
        this.url = parse(address.url());
        this.options = options;
    }

    /**
     * Opens a client for loading, copying, indexing, counting and dropping, where the server is told when to give up; it is closed where the
     * first questions fail.
     *
     * @throws TargetException as the first questions do, or if the server does not answer them
     */
    <T> T connect(Function<MongoClient, T> firstQuestions) {
        MongoClient client = MongoClients.create(settings()
                .timeout(options.maintenanceTimeout().toMillis(), MILLISECONDS)
                .build());
        try {
            return firstQuestions.apply(client);
        } catch (MongoException e) {
            TargetException failed = failed(client, e);
            client.close();
            throw failed;
        } catch (TargetException e) {
            client.close();
            throw e;
        }
    }

    /** The driver's own words are a dump of all it knows; the reason is what it met at the server. */
    private TargetException failed(MongoClient client, MongoException e) {
        String tried = "cannot connect to MongoDB at " + where();
        if (!(e instanceof MongoTimeoutException)) {
            return ERRORS.outsideRun(tried, e);
        }
        String reason = client.getClusterDescription().getServerDescriptions().stream()
                .map(ServerDescription::getException)
                .filter(met -> met != null)
                .findFirst()
                .map(met -> ": " + rootOf(met).getMessage())
                .orElse("");
        return new TargetException(tried + reason + ". " + MongodbErrors.UNREACHABLE_ADVICE, e);
    }

    private static Throwable rootOf(Throwable error) {
        Throwable cause = error.getCause();
        return cause == null || cause == error ? error : rootOf(cause);
    }

    /** For a run, with a connection for each of its sessions; an answer that takes too long breaks its connection. */
    MongoClient openTimed() {
        long longestSilence = options.searchTimeout().plus(SILENCE).toMillis();
        int sessions = options.sessions();
        return MongoClients.create(settings()
                .applyToSocketSettings(socket -> socket.readTimeout(longestSilence, MILLISECONDS))
                .applyToConnectionPoolSettings(pool -> pool.minSize(sessions).maxSize(sessions + OWN_CONNECTIONS))
                .build());
    }

    TargetOptions options() {
        return options;
    }

    /** The database that the URL names, or a default one. */
    String database() {
        return Optional.ofNullable(url.getDatabase()).orElse(DEFAULT_DATABASE);
    }

    /** Whether it is said which database that is. */
    boolean namesDatabase() {
        return url.getDatabase() != null;
    }

    /** Hosts and database for messages; never the user's secrets. */
    String where() {
        return String.join(",", url.getHosts()) + "/" + database();
    }

    /** How its connections are secured, of which the driver lets nobody see more than its own settings. */
    Transport transport(ClusterDescription cluster) {
        SslSettings ssl = settings().build().getSslSettings();
        if (!ssl.isEnabled()) {
            return Transport.PLAIN;
        }
        Optional<com.mongodb.ServerAddress> server = cluster.getServerDescriptions().stream()
                .filter(ServerDescription::isOk)
                .map(ServerDescription::getAddress)
                .findFirst();
        boolean isNamed = !ssl.isInvalidHostNameAllowed()
                && server.map(com.mongodb.ServerAddress::getHost)
                        .filter(MongodbConnections::isName)
                        .isPresent();
        Optional<SSLSession> session = server.flatMap(MongodbConnections::session);
        return new Transport(
                isNamed ? Transport.Security.HOST_NAME : Transport.Security.CERTIFICATE,
                session.map(SSLSession::getProtocol).orElse(""),
                session.map(SSLSession::getCipherSuite).orElse(""));
    }

    /**
     * The driver always verifies the certificate. Where the url has an address instead of a name, it looks up which name that
     * address has, and verifies that one: whoever answers such questions decides which server is the right one.
     */
    private static boolean isName(String host) {
        return !host.contains(":") && !host.matches("[\\d.]+");
    }

    /**
     * Which protocol and cipher the server and this Java agree on the driver does not tell, so that one more connection is made in its way and
     * closed again. Empty where that one fails: the driver's own stand.
     */
    private static Optional<SSLSession> session(com.mongodb.ServerAddress server) {
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

    /** What the server answers, as JSON; times are in milliseconds since 1970. */
    static JsonNode json(Map<String, ?> answer) {
        return JSON.valueToTree(answer);
    }

    private MongoClientSettings.Builder settings() {
        MongoClientSettings.Builder settings = MongoClientSettings.builder()
                .applicationName("siemload")
                // A failure is counted, not hidden by a second try.
                .retryReads(false)
                .retryWrites(false)
                .applyToSocketSettings(socket -> socket.connectTimeout(CONNECT_SECONDS, SECONDS))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(CONNECT_SECONDS, SECONDS))
                // What the user says in the URL wins.
                .applyConnectionString(url);
        if (!address.user().isEmpty()) {
            settings.credential(MongoCredential.createCredential(
                    address.user(), authenticationDatabase(), address.password().toCharArray()));
        }
        return settings;
    }

    /** As the driver does it where the user stands in the URL: the option, the URL's database, or {@code admin}. */
    private String authenticationDatabase() {
        Matcher option = AUTHENTICATION_DATABASE.matcher(address.url());
        if (option.find()) {
            return URLDecoder.decode(option.group(1), StandardCharsets.UTF_8);
        }
        return Optional.ofNullable(url.getDatabase()).orElse("admin");
    }

    private static ConnectionString parse(String url) {
        if (url.isEmpty()) {
            throw new TargetException("no MongoDB to connect to; give its url: -Durl=mongodb://host:port");
        }
        try {
            return new ConnectionString(url);
        } catch (IllegalArgumentException e) {
            throw new TargetException(
                    "the url is not one of MongoDB (" + Objects.requireNonNullElse(e.getMessage(), "unreadable")
                            + "); write mongodb://host:port, or mongodb://host:port/database",
                    e);
        }
    }
}
