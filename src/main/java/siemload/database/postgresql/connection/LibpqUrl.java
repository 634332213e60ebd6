package siemload.database.postgresql.connection;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import siemload.config.DatabaseNotation.NamedServer;
import siemload.config.Secrets;
import siemload.config.SettingSources;

/**
 * Urls that begin with {@code postgresql://} and the variables {@code PGHOST} and so on, as psql reads them, for the driver. Options are the
 * driver's, and services and the password file are read by the driver itself. Stateless and thread-safe.
 */
public final class LibpqUrl {
    private static final String DRIVER = "jdbc:postgresql:";
    private static final Pattern URL = Pattern.compile("\\w+://(?:([^@/?]*)@)?([^/?]*)(?:/([^?]*))?(?:\\?(.*))?");
    private static final Pattern SERVICE = Pattern.compile("[?&]service=([^&]*)");

    /** Options by the variables that libpq has for them. */
    private static final Map<String, String> OPTIONS = Stream.of(
                    "PGUSER=user PGSSLMODE=sslmode PGSSLROOTCERT=sslrootcert PGSSLCERT=sslcert PGSSLKEY=sslkey PGOPTIONS=options"
                            .split(" "))
            .map(pair -> pair.split("="))
            .collect(Collectors.toUnmodifiableMap(pair -> pair[0], pair -> pair[1]));

    /** Kept, or its level would be forgotten. What it warns of is told by exceptions, too. */
    private static final Logger LOG_OF_DRIVER = Logger.getLogger("org.postgresql");

    static {
        if (LOG_OF_DRIVER.getLevel() == null) {
            LOG_OF_DRIVER.setLevel(Level.OFF);
        }
    }

    private LibpqUrl() {}

    /** The variable that says where libpq connects unless a url does; empty where none does. */
    public static Optional<String> placeVariable(Map<String, String> environment) {
        return Stream.of("PGSERVICE", "PGHOST")
                .filter(variable -> !environment.getOrDefault(variable, "").isEmpty())
                .findFirst();
    }

    /**
     * The server that a url names. What one of libpq leaves open comes from the service, or where none is named from variables; one of the
     * driver is left as it is. The password is that of {@code PGPASSWORD}, which counts for urls of libpq alone, of the service, or of the
     * password file.
     *
     * @param user who is to be there, if that is said outside of the url
     * @throws IllegalArgumentException for what the driver cannot do, and for a service that is nowhere
     */
    public static NamedServer server(String url, Optional<String> user, SettingSources sources) {
        boolean ofDriver = url.startsWith(DRIVER);
        String driver = ofDriver ? url : driverUrl(url, sources.environment());
        // What is said last counts.
        String asUser = user.map(name -> (driver.contains("?") ? "&" : "?") + "user=" + encoded(name))
                .orElse("");
        String found = text(PGProperty.PASSWORD.getOrDefault(parsed(driver + asUser)));
        Optional<String> password = Stream.of(
                        ofDriver ? "" : text(sources.environment().get("PGPASSWORD")), found)
                .filter(text -> !text.isEmpty())
                .findFirst();
        password.ifPresent(Secrets::know);
        return new NamedServer(driver, password);
    }

    private static String driverUrl(String url, Map<String, String> environment) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException("is not understood (write for example postgresql://host:port/database)");
        }
        Map<String, String> options = new LinkedHashMap<>();
        put(options, "user", text(parts.group(1)));
        for (String option : text(parts.group(4)).split("&", -1)) {
            put(options, option.replaceFirst("=.*", ""), option.replaceFirst("[^=]*=?", ""));
        }
        put(options, "service", encoded(environment.get("PGSERVICE")));
        String place = text(parts.group(2));
        String database = text(parts.group(3));
        if (!options.containsKey("service")) {
            OPTIONS.forEach((variable, option) -> put(options, option, encoded(environment.get(variable))));
            place = place.isEmpty() ? place(environment) : place;
            database = database.isEmpty() ? encoded(environment.get("PGDATABASE")) : database;
        }
        // Beside a database the driver takes the server from the service where there are no slashes.
        return DRIVER
                + (place.isEmpty() && !database.isEmpty() ? "" : "//" + place + "/")
                + database
                + options.entrySet().stream()
                        .map(option -> option.getKey() + "=" + option.getValue())
                        .collect(Collectors.joining("&", options.isEmpty() ? "" : "?", ""));
    }

    /** Keeps what is there already. */
    private static void put(Map<String, String> options, String name, String value) {
        if (!value.isEmpty()) {
            options.putIfAbsent(name, value);
        }
    }

    private static String place(Map<String, String> environment) {
        String host = text(environment.get("PGHOST"));
        if (host.startsWith("/") || host.startsWith("@")) {
            throw new IllegalArgumentException(
                    "names the directory of a Unix socket, and siemload connects by TCP alone"
                            + " (write localhost in place of " + host + ")");
        }
        String port = text(environment.get("PGPORT"));
        return Stream.of((host.isEmpty() ? "localhost" : host).split(",", -1))
                .map(one -> one.contains(":") ? "[" + one + "]" : one)
                .map(one -> port.isEmpty() ? one : one + ":" + port)
                .collect(Collectors.joining(","));
    }

    /** What the driver reads in it and in its files; it writes why it does not into a log, and says nothing to who asks. */
    private static Properties parsed(String url) {
        Properties server = Driver.parseURL(url, null);
        if (server != null) {
            return server;
        }
        Matcher service = SERVICE.matcher(url);
        throw new IllegalArgumentException(
                service.find()
                        ? "has the service '" + service.group(1) + "', which the driver does not find (it looks in"
                                + " PGSERVICEFILE, or ~/.pg_service.conf)"
                        : "is not understood by the driver (write for example jdbc:postgresql://host:port/database, with"
                                + " the / after the server)");
    }

    private static String text(@Nullable String text) {
        return Objects.requireNonNullElse(text, "");
    }

    private static String encoded(@Nullable String text) {
        return URLEncoder.encode(text(text), StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }
}
