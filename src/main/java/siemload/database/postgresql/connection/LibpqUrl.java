package siemload.database.postgresql.connection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import siemload.config.DatabaseNotation;
import siemload.config.DatabaseNotation.NamedServer;
import siemload.config.Secrets;
import siemload.config.SettingSources;

/**
 * What psql and its kin understand, for the driver: urls that begin with {@code postgresql://}, the variables {@code PGHOST} and
 * so on, services and the password file. Stateless and thread-safe.
 */
public final class LibpqUrl {
    /** Every parameter that may stand in such a url, with the driver's name and libpq's variable; "" where there is none. */
    private static final String PASSWORD_FILE = "org.postgresql.pgpassfile";

    private static final String SESSION_ATTRIBUTE = "target_session_attrs";

    private static final List<Parameter> PARAMETERS = List.of(
            new Parameter("host", "", "PGHOST"),
            new Parameter("hostaddr", "", "PGHOSTADDR"),
            new Parameter("port", "", "PGPORT"),
            new Parameter("dbname", "", "PGDATABASE"),
            new Parameter("user", "user", "PGUSER"),
            new Parameter("service", "", "PGSERVICE"),
            new Parameter("sslmode", "sslmode", "PGSSLMODE"),
            new Parameter("sslnegotiation", "sslNegotiation", "PGSSLNEGOTIATION"),
            new Parameter("sslrootcert", "sslrootcert", "PGSSLROOTCERT"),
            new Parameter("sslcert", "sslcert", "PGSSLCERT"),
            new Parameter("sslkey", "sslkey", "PGSSLKEY"),
            new Parameter("channel_binding", "channelBinding", "PGCHANNELBINDING"),
            new Parameter("gssencmode", "gssEncMode", "PGGSSENCMODE"),
            new Parameter("require_auth", "requireAuth", "PGREQUIREAUTH"),
            new Parameter("options", "options", "PGOPTIONS"),
            new Parameter("application_name", "ApplicationName", ""),
            new Parameter("connect_timeout", "connectTimeout", ""),
            new Parameter(SESSION_ATTRIBUTE, "targetServerType", "PGTARGETSESSIONATTRS"));

    private static final Map<String, String> SESSION_ATTRIBUTES = Map.of(
            "any", "any",
            "read-write", "primary",
            "primary", "primary",
            "read-only", "secondary",
            "standby", "secondary",
            "prefer-standby", "preferSecondary");

    private static final String DRIVER = "jdbc:postgresql:";
    private static final Pattern SERVICE = Pattern.compile("[?&]service=([^&]*)");
    private static final String PASSWORD = "password";
    private static final int OF_GROUP_AND_OTHERS = 077;

    /** Kept, or its level would be forgotten. What it warns of is told by exceptions, too. */
    private static final Logger LOG_OF_DRIVER = Logger.getLogger("org.postgresql");

    static {
        if (LOG_OF_DRIVER.getLevel() == null) {
            LOG_OF_DRIVER.setLevel(Level.OFF);
        }
    }

    /** @param driver its name as an option of the driver's urls */
    private record Parameter(String name, String driver, String variable) {}

    private LibpqUrl() {}

    /** The names of all parameters, with blanks between. */
    public static String names() {
        return PARAMETERS.stream().map(Parameter::name).collect(Collectors.joining(" "));
    }

    /** The variable that says where libpq connects unless a url does; empty where none does. */
    public static Optional<String> placeVariable(Map<String, String> environment) {
        return List.of("PGSERVICE", "PGHOST", "PGHOSTADDR").stream()
                .filter(variable -> !environment.getOrDefault(variable, "").isEmpty())
                .findFirst();
    }

    /**
     * The server that a url names. One of libpq is filled up by its environment: what the url says wins over the service, that over
     * variables; one of the driver is left as it is. The password is that of {@code PGPASSWORD} or the service, which both count for
     * urls of libpq alone, or that of the password file.
     *
     * @param user who is to be there, if that is said outside of the url
     * @throws IllegalArgumentException for what the driver cannot do, and for a service that is nowhere
     */
    public static NamedServer server(String url, Optional<String> user, SettingSources sources) {
        Map<String, String> known = new LinkedHashMap<>();
        String driver = url.startsWith(DRIVER) ? url : driverUrl(url.substring(url.indexOf("//") + 2), known, sources);
        Properties parsed = parsed(driver);
        Optional<String> password = Optional.ofNullable(known.get(PASSWORD)).filter(text -> !text.isEmpty());
        Optional<String> ignored = password.isPresent() ? Optional.empty() : ignoredPasswordFile(sources);
        if (password.isEmpty() && ignored.isEmpty()) {
            password = passwordFromFile(parsed, user, sources);
        }
        password.ifPresent(Secrets::know);
        return new NamedServer(driver, password, ignored);
    }

    private static String driverUrl(String rest, Map<String, String> known, SettingSources sources) {
        Map<String, String> environment = sources.environment();
        known.putAll(parameters(rest));
        String service = known.getOrDefault("service", environment.getOrDefault("PGSERVICE", ""));
        if (!service.isEmpty()) {
            service(service, sources).forEach(known::putIfAbsent);
        }
        for (Parameter parameter : PARAMETERS) {
            String value = environment.getOrDefault(parameter.variable(), "");
            if (!value.isEmpty()) {
                known.putIfAbsent(parameter.name(), value);
            }
        }
        known.putIfAbsent(PASSWORD, environment.getOrDefault("PGPASSWORD", ""));
        return DRIVER + "//" + servers(known) + "/" + encoded(known.getOrDefault("dbname", "")) + options(known);
    }

    /** What the driver reads in it; it writes why it does not into a log, and says nothing to who asks. */
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

    /**
     * What the password file says of a user there. The driver would read it in the home directory that Java knows, libpq does in HOME; the
     * two differ in containers of CI services.
     */
    private static Optional<String> passwordFromFile(Properties server, Optional<String> user, SettingSources sources) {
        String system = sources.systemProperties()
                .getOrDefault("user.name", sources.environment().getOrDefault("USER", ""));
        String name = user.orElseGet(() -> Objects.requireNonNullElse(PGProperty.USER.getOrDefault(server), system));
        List<String> wanted = List.of(
                first(PGProperty.PG_HOST.getOrDefault(server)),
                first(PGProperty.PG_PORT.getOrDefault(server)),
                Objects.requireNonNullElse(PGProperty.PG_DBNAME.getOrDefault(server), name),
                name);
        try (Stream<String> lines = Files.lines(passwordFile(sources))) {
            return lines.filter(line -> !line.startsWith("#"))
                    .map(line -> List.of(line.split("(?<!\\\\):", wanted.size() + 1)))
                    .filter(fields -> fields.size() > wanted.size() && meets(fields, wanted))
                    .map(fields -> unescaped(fields.get(wanted.size())))
                    .findFirst();
        } catch (IOException | UncheckedIOException absent) {
            return Optional.empty();
        }
    }

    private static boolean meets(List<String> fields, List<String> wanted) {
        return IntStream.range(0, wanted.size())
                .allMatch(i ->
                        fields.get(i).equals("*") || unescaped(fields.get(i)).equals(wanted.get(i)));
    }

    /** Colons and backslashes have a backslash before them. */
    private static String unescaped(String field) {
        return field.replaceAll("\\\\(.)", "$1");
    }

    private static String first(@Nullable String several) {
        return Objects.requireNonNullElse(several, "").replaceFirst(",.*", "");
    }

    private static Map<String, String> parameters(String rest) {
        Map<String, String> known = new LinkedHashMap<>();
        String[] parts = rest.split("\\?", 2);
        int at = parts[0].lastIndexOf('@');
        if (at > 0) {
            known.put("user", decoded(parts[0].substring(0, at)));
        }
        String[] place = parts[0].substring(at + 1).split("/", 2);
        if (!place[0].isEmpty()) {
            // A colon within brackets belongs to an address.
            List<String[]> servers = Stream.of(place[0].split(",", -1))
                    .map(server -> server.split(":(?![^\\[]*\\])", 2))
                    .toList();
            known.put("host", servers.stream().map(server -> decoded(server[0])).collect(Collectors.joining(",")));
            if (servers.stream().anyMatch(server -> server.length == 2)) {
                known.put(
                        "port",
                        servers.stream()
                                .map(server -> server.length == 2 ? server[1] : "")
                                .collect(Collectors.joining(",")));
            }
        }
        if (place.length == 2 && !place[1].isEmpty()) {
            known.put("dbname", decoded(place[1]));
        }
        if (parts.length == 2) {
            for (String option : parts[1].split("&", -1)) {
                String[] pair = option.split("=", 2);
                known.put(pair[0].toLowerCase(Locale.ROOT), decoded(pair[1]));
            }
        }
        return known;
    }

    private static String servers(Map<String, String> known) {
        String[] hosts = known.getOrDefault("host", known.getOrDefault("hostaddr", "localhost"))
                .split(",", -1);
        String[] ports = known.getOrDefault("port", "").split(",", -1);
        if (ports.length != 1 && ports.length != hosts.length) {
            throw new IllegalArgumentException("has " + ports.length + " ports for " + hosts.length
                    + " hosts (allowed: one for all, or one for each)");
        }
        return IntStream.range(0, hosts.length)
                .mapToObj(i -> server(hosts[i], ports[ports.length == 1 ? 0 : i]))
                .collect(Collectors.joining(","));
    }

    private static String server(String host, String port) {
        if (host.startsWith("/") || host.startsWith("@")) {
            throw new IllegalArgumentException(
                    "names the directory of a Unix socket, and siemload connects by TCP alone"
                            + " (write localhost in place of " + host + ")");
        }
        if (!port.isEmpty()) {
            DatabaseNotation.requirePort(port);
        }
        String bare = host.isEmpty() ? "localhost" : host;
        return (bare.contains(":") && !bare.startsWith("[") ? "[" + bare + "]" : bare) + ":"
                + (port.isEmpty() ? "5432" : port);
    }

    private static String options(Map<String, String> known) {
        if (known.getOrDefault("sslrootcert", "").equals("system")) {
            throw new IllegalArgumentException(
                    "has sslrootcert=system, which the driver does not know (name the file of the certificate)");
        }
        known.computeIfPresent(SESSION_ATTRIBUTE, (name, value) -> {
            if (!SESSION_ATTRIBUTES.containsKey(value)) {
                throw new IllegalArgumentException("has target_session_attrs=" + value + ", which is unknown (allowed:"
                        + " any, read-write, read-only, primary, standby, prefer-standby)");
            }
            return SESSION_ATTRIBUTES.getOrDefault(value, value);
        });
        String options = PARAMETERS.stream()
                .filter(parameter -> known.containsKey(parameter.name) && !parameter.driver.isEmpty())
                .map(parameter -> parameter.driver + "=" + encoded(known.getOrDefault(parameter.name, "")))
                .collect(Collectors.joining("&"));
        return options.isEmpty() ? "" : "?" + options;
    }

    /** The parameters of a service, by their names, the password among them. */
    private static Map<String, String> service(String name, SettingSources sources) {
        Map<String, String> environment = sources.environment();
        Path own = Path.of(environment.getOrDefault("PGSERVICEFILE", home(sources) + "/.pg_service.conf"));
        Path file = Files.exists(own) || environment.containsKey("PGSERVICEFILE")
                ? own
                : Path.of(environment.getOrDefault("PGSYSCONFDIR", "/etc/postgresql-common"), "pg_service.conf");
        String has = "has the service '" + name + "', ";
        List<String> lines;
        try {
            lines = Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(has + "but " + file + " cannot be read", unreadable);
        }
        int at = lines.indexOf("[" + name + "]");
        if (at < 0) {
            throw new IllegalArgumentException(has + "which " + file + " does not have");
        }
        Map<String, String> known = new LinkedHashMap<>();
        for (String line : lines.subList(at + 1, lines.size())) {
            if (line.startsWith("[")) {
                break;
            }
            String[] pair = line.split("=", 2);
            boolean isKnown = pair[0].equals(PASSWORD)
                    || PARAMETERS.stream().anyMatch(parameter -> parameter.name.equals(pair[0]));
            if (pair.length < 2 || !isKnown || pair[0].equals("service")) {
                throw new IllegalArgumentException(has + "whose parameter '" + pair[0] + "' in " + file
                        + " is not known here (known: " + PASSWORD + " " + names() + ")");
            }
            known.putIfAbsent(pair[0], pair[1]);
        }
        return known;
    }

    /** Why the password file is not used, as with libpq: others than its owner may read it. */
    private static Optional<String> ignoredPasswordFile(SettingSources sources) {
        Path file = passwordFile(sources);
        try {
            if (!Files.exists(file)
                    || !file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
                return Optional.empty();
            }
            int mode = ((Number) Objects.requireNonNull(Files.getAttribute(file, "unix:mode"))).intValue() & 0777;
            return (mode & OF_GROUP_AND_OTHERS) == 0
                    ? Optional.empty()
                    : Optional.of("the password file " + file + " is ignored, since others may read it (chmod 600 '"
                            + file + "')");
        } catch (IOException unseen) {
            return Optional.of("the password file " + file + " is ignored: " + unseen);
        }
    }

    private static Path passwordFile(SettingSources sources) {
        return Path.of(Optional.ofNullable(sources.systemProperties().get(PASSWORD_FILE))
                .or(() -> Optional.ofNullable(sources.environment().get("PGPASSFILE")))
                .filter(path -> !path.isBlank())
                .orElseGet(() -> home(sources) + "/.pgpass"));
    }

    private static String home(SettingSources sources) {
        return sources.environment()
                .getOrDefault("HOME", sources.systemProperties().getOrDefault("user.home", ""));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }
}
