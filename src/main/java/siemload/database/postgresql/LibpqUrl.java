package siemload.database.postgresql;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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

/**
 * Urls that begin with {@code postgresql://}, as psql reads them, for the driver. Options are the driver's, and services and the password
 * file are read by the driver itself. Stateless and thread-safe.
 */
public final class LibpqUrl {
    private static final String DRIVER = "jdbc:postgresql:";
    private static final Pattern URL = Pattern.compile("\\w+://(?:([^@/?]+)@)?([^@/?]*)(?:/([^?]*))?(?:\\?(.*))?");
    private static final Pattern SERVICE = Pattern.compile("[?&]service=([^&]*)");

    /** Kept, or its level would be forgotten. What it warns of is told by exceptions, too. */
    private static final Logger LOG_OF_DRIVER = Logger.getLogger("org.postgresql");

    static {
        if (LOG_OF_DRIVER.getLevel() == null) {
            LOG_OF_DRIVER.setLevel(Level.OFF);
        }
    }

    private LibpqUrl() {}

    /**
     * The server that a url names. One of the driver is left as it is. The password is that of the service, or of the password file.
     *
     * @param user who is to be there, if that is said outside of the url
     * @throws IllegalArgumentException for what the driver cannot do, and for a service that is nowhere
     */
    public static NamedServer server(String url, Optional<String> user) {
        String driver = url.startsWith(DRIVER) ? url : driverUrl(url);
        // What is said last counts.
        String asUser = user.map(name -> (driver.contains("?") ? "&" : "?") + "user="
                        + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"))
                .orElse("");
        Optional<String> password = Optional.ofNullable(PGProperty.PASSWORD.getOrDefault(parsed(driver + asUser)))
                .filter(text -> !text.isEmpty());
        password.ifPresent(Secrets::know);
        return new NamedServer(driver, password);
    }

    private static String driverUrl(String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException("is not understood (write for example postgresql://host:port/database)");
        }
        String options = Stream.of(parts.group(1) == null ? "" : "user=" + parts.group(1), text(parts.group(4)))
                .filter(some -> !some.isEmpty())
                .collect(Collectors.joining("&", "?", ""));
        String place = parts.group(2).isEmpty() && !SERVICE.matcher(options).find() ? "localhost" : parts.group(2);
        String database = text(parts.group(3));
        // Beside a database the driver takes the server from the service where there are no slashes.
        return DRIVER
                + (place.isEmpty() && !database.isEmpty() ? "" : "//" + place + "/")
                + database
                + (options.equals("?") ? "" : options);
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
}
