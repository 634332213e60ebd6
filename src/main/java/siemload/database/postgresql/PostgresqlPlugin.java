package siemload.database.postgresql;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import siemload.config.Secrets;
import siemload.database.Hint;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.ContainerServer.ContainerOptions;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.database.Variant;
import siemload.query.Paging;

/** PostgreSQL 15 or newer. Stateless and thread-safe. */
public final class PostgresqlPlugin implements TargetPlugin {
    private static final String DRIVER = "jdbc:postgresql:";
    private static final Pattern URL = Pattern.compile("(?s)^\\w+://(?:([^@/?]+)@)?([^/?]*)/?([^?]*)\\??(.*)");

    /** The driver's logger, referenced here so that its level is not lost. The driver also throws its warnings as exceptions. */
    private static final Logger LOG_OF_DRIVER = Logger.getLogger("org.postgresql");

    static {
        if (LOG_OF_DRIVER.getLevel() == null) {
            LOG_OF_DRIVER.setLevel(Level.OFF);
        }
    }

    /** Converts urls in psql's form to the driver's form. The driver reads the password file itself. */
    @Override
    public Optional<NamedServer> namedServer(String url, Optional<String> user) {
        if (urlForms().stream().noneMatch(form -> url.startsWith(form.start()))) {
            return Optional.empty();
        }
        String driver = url.startsWith(DRIVER) ? url : driverUrl(url);
        // If an option occurs twice, the last value counts.
        String asUser = user.map(name -> (driver.contains("?") ? "&" : "?") + "user="
                        + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"))
                .orElse("");
        // The driver only logs why it does not read a password file; the caller gets no error.
        Properties server = Driver.parseURL(driver + asUser, null);
        if (server == null) {
            throw new IllegalArgumentException("is not understood by the driver (write for example"
                    + " jdbc:postgresql://host:port/database, with the / after the server)");
        }
        // The driver ignores an option with other capitals, such as SSLMODE.
        for (String option : server.stringPropertyNames()) {
            Stream.of(PGProperty.values())
                    .map(PGProperty::getName)
                    .filter(known -> known.equalsIgnoreCase(option) && PGProperty.forName(option) == null)
                    .forEach(known -> {
                        throw new IllegalArgumentException("has the option " + known
                                + " with other capitals, so the driver ignores it (write " + known + ")");
                    });
        }
        Properties used = Driver.parseURL(PostgresqlConnections.completed(driver + asUser), null);
        String own = server.stringPropertyNames().stream()
                .filter(option -> !Objects.equals(server.getProperty(option), used.getProperty(option)))
                .sorted()
                .collect(Collectors.joining(", "));
        if (!own.isEmpty()) {
            throw new IllegalArgumentException("has options that siemload sets itself: " + own + " (remove them)");
        }
        if ("simple".equals(PGProperty.PREFER_QUERY_MODE.getOrDefault(server))) {
            throw new IllegalArgumentException(
                    "has preferQueryMode=simple, but siemload prepares statements (remove it,"
                            + " and connect to the server itself instead of a pooler)");
        }
        Optional<String> password =
                Optional.ofNullable(PGProperty.PASSWORD.getOrDefault(server)).filter(text -> !text.isEmpty());
        password.ifPresent(Secrets::know);
        return Optional.of(new NamedServer(driver, password));
    }

    private static String driverUrl(String url) {
        MatchResult parts = URL.matcher(url).results().findFirst().orElseThrow();
        String options = Stream.of(parts.group(1) == null ? "" : "user=" + parts.group(1), parts.group(4))
                .filter(some -> !some.isEmpty())
                .collect(Collectors.joining("&"));
        String place = parts.group(2).isEmpty() ? "localhost" : parts.group(2);
        return DRIVER + "//" + place + "/" + parts.group(3) + (options.isEmpty() ? "" : "?" + options);
    }

    @Override
    public List<String> programsWithPasswords() {
        return List.of("psql");
    }

    @Override
    public Optional<OwnLayouts> ownLayouts() {
        return Optional.of(Layout.Format.INSTANCE);
    }

    @Override
    public Target connectExisting(ServerAddress address, Target.TargetOptions options) {
        return PostgresqlServer.connectExisting(address, options);
    }

    @Override
    public Optional<String> refusal(Variant variant) {
        if (variant.hint() == Hint.FULL_SCAN_PARALLEL && variant.paging() == Paging.CURSOR) {
            return Optional.of("hint 'full-scan-parallel' cannot be combined with paging 'cursor': PostgreSQL reads a"
                    + " cursor without parallel workers (allowed: paging offset, keyset; or hint full-scan)");
        }
        return TargetPlugin.super.refusal(variant);
    }

    @Override
    public Optional<String> refusal(Variant variant, Provision provision, Map<String, String> parameters) {
        return new PostgresqlServer.RunParameters(parameters).refusal(variant.hint(), provision);
    }

    @Override
    public Optional<String> refusalFromFile(Map<String, String> parameters) {
        return new PostgresqlServer.RunParameters(parameters).refusalFromFile();
    }

    /** With a {@code targetServerType}, the driver may choose any of several hosts. */
    @Override
    public Optional<String> host(String url) {
        boolean isChosen = url.matches("[^?]*//[^/?]*,.*[?&]targetServerType=.*");
        return isChosen ? Optional.empty() : TargetPlugin.super.host(url);
    }

    @Override
    public Map<String, String> startParameters(Map<String, String> parameters) {
        return new PostgresqlServer.RunParameters(parameters)
                .those(true)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return EmbeddedPostgresqlServer.start(options);
    }

    /** The official image, or one with the same environment variables, configured like the embedded server. */
    @Override
    public Optional<ContainerServer> container(ContainerOptions options) {
        String password = ContainerServer.newPassword();
        // If an argument occurs several times, the last value counts. Parallel workers get a quarter of the memory as
        // shared memory, since Docker's default of 64 MB is too little. The image's first, temporary server does not
        // listen on the network, so that a login reaches the final server.
        return Optional.of(new ContainerServer(
                "postgres:18",
                5432,
                Map.of(
                        "POSTGRES_PASSWORD",
                        password,
                        "POSTGRES_INITDB_ARGS",
                        "--auth-host=scram-sha-256 --encoding=UTF8 --locale=C"),
                new PostgresqlServer.RunParameters(options.parameters())
                        .arguments(0, options.memoryBytes(), options.sessions()),
                options.memoryBytes() / 4,
                false,
                new ServerAddress("jdbc:postgresql://{host}:{port}/postgres", "postgres", password),
                EmbeddedPostgresqlServer::makePowerless));
    }

    @Override
    public Target connect(ServerAddress address, Target.TargetOptions options) {
        return PostgresqlServer.connect(address, options);
    }
}
