package siemload.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A property of a run: {@code -Dname=value}, {@code --name=value} or {@code SIEMLOAD_NAME=value}. The constants here are the
 * whole catalogue. Immutable.
 *
 * @param <T> the type of its values
 */
public final class Property<T> {
    private static final Duration DAY = Duration.ofDays(1);
    private static final int MOST_PORT = 65_535;

    /** Each property adds itself, so that this comes before them. */
    private static final List<Property<?>> CATALOGUE = new ArrayList<>();

    public static final Property<String> SCENARIO =
            new Property<>("scenario", ValueType.text(), "hawat", "what to run: a name in scenarios/, or a YAML file");
    public static final Property<String> DATASET =
            text("dataset", "the events: a name in datasets/, a YAML file, or recorded files with commas between");
    public static final Property<String> DATA = new Property<>(
            "data",
            oneOf("dataset", "existing"),
            "dataset",
            "what is asked: the data set, which is loaded, or what the database of url has already, read-only: by"
                    + " the statements of a scenario, or searched by a layout without loading");
    public static final Property<Boolean> ALLOW_WRITES = flag(
            "allowWrites",
            "whether the statements of a scenario that are marked by writes: true may change the data that are"
                    + " there already");
    public static final Property<Integer> AMPLIFY =
            new Property<>("amplify", ValueType.wholeNumber(1, 1_000_000), "1", "how often a recording is repeated");
    public static final Property<String> FORMAT = new Property<>(
            "format",
            oneOf("auto", "idea", "cef", "ecs", "ocsf"),
            "auto",
            "the format of a recording; auto tells it from the first lines");
    public static final Property<String> TARGET = new Property<>(
            "target",
            ValueType.text(),
            DatabaseNotation.all().get(0).target(),
            "the database: one of those that siemload list has");
    public static final Property<String> PROVISION = new Property<>(
            "provision",
            oneOf("embedded", "container", "external"),
            "embedded",
            "who starts the database; external where a url is given, container where an image is, or where the"
                    + " target has no embedded server");
    public static final Property<String> URL =
            without("url", ConnectionUrl.TYPE, "where an external database is; user and password by environment");
    public static final Property<List<String>> READ_URLS =
            without("readUrls", ConnectionUrl.LIST_TYPE, "replicas of url that answer searches, with blanks between");
    public static final Property<Boolean> ALLOW_BUSY_SERVER =
            flag("allowBusyServer", "whether a run goes on although others are using the server given by url");
    public static final Property<Boolean> YES =
            flag("yes", "whether a run goes ahead on a server given by url that it has not met before");
    public static final Property<List<AbortCondition>> ABORT_IF = without(
            "abortIf",
            AbortCondition.TYPE,
            "when a run stops by itself, since it does harm: errorRatio > 0.2 for 10s, p95 > 30s for 30s on a"
                    + " server given by url unless given, never elsewhere");
    public static final Property<String> IMAGE =
            text("image", "the container image, also of your own registry; the target's own unless given");
    public static final Property<Long> CONTAINER_MEMORY =
            new Property<>("containerMemory", ByteSize.of("memory"), "2g", "how much memory the container may use");
    public static final Property<Double> CONTAINER_CPUS = new Property<>(
            "containerCpus", ValueType.number(0.1, 1024), "2", "how many processors the container may use");
    public static final Property<String> LAYOUT = text(
            "layout", "how events are stored: a name, or the folder of one of your own; the target's own unless given");
    public static final Property<String> PARTITIONS = without(
            "partitions",
            oneOf("none", "day"),
            "what the tables are cut into: nothing or days; the target's own unless given");
    public static final Property<String> INDEXES =
            new Property<>("indexes", oneOf("none", "time", "fields", "compound", "native"), "native", "the index set");
    public static final Property<String> HINT = new Property<>(
            "hint",
            oneOf("none", "full-scan", "full-scan-parallel", "index", "time-index", "first-rows"),
            "none",
            "how the database is told to search");
    public static final Property<String> PAGING =
            new Property<>("paging", oneOf("offset", "keyset", "cursor"), "offset", "how users get from page to page");
    public static final Property<Integer> USERS =
            without("users", ValueType.wholeNumber(1, 100_000), "how many users at once, over all closed groups");
    public static final Property<Double> ARRIVALS = without(
            "arrivals",
            ValueType.number(0.001, 10_000),
            "how many users arrive a second, over all groups with load: open");
    public static final Property<Double> EPS =
            without("eps", ValueType.number(0, 10_000_000), "events a second that the feeder inserts");
    public static final Property<Duration> WARMUP =
            without("warmup", ValueType.duration(Duration.ZERO, DAY), "the time before measuring");
    public static final Property<Duration> DURATION =
            without("duration", ValueType.duration(Duration.ofSeconds(1), Duration.ofDays(30)), "the measured time");
    public static final Property<String> SEARCHES =
            text("searches", "keeps only these searches of the scenario: HAWAT1,HAWAT3");
    public static final Property<SortedMap<String, String>> PARAMETERS =
            without("parameters", ValueType.assignments(), "database parameters for this run: work_mem=64MB,jit=off");
    public static final Property<Boolean> SETTLE =
            flag("settle", "whether a run waits for a checkpoint and a quiet machine before it measures");
    public static final Property<Duration> TIMEOUT = new Property<>(
            "timeout", ValueType.duration(Duration.ofMillis(1), DAY), "60s", "when a search is given up");
    public static final Property<Boolean> RELOAD =
            flag("reload", "whether a data set that the server keeps is loaded anew");
    public static final Property<Integer> WORKERS = without(
            "workers",
            ValueType.wholeNumber(1, 10_000),
            "connections that search, one thread each; enough for the users unless given");
    public static final Property<Integer> INJECTORS = new Property<>(
            "injectors",
            ValueType.wholeNumber(1, 1_000),
            "1",
            "how many processes make the load together, each its share: of this machine, or where via says");
    public static final Property<String> VIA = text(
            "via",
            "the shell's command that starts an injector elsewhere, {n} being its number from 0: ssh load{n}"
                    + " siemload inject");
    public static final Property<Long> SEED = new Property<>(
            "seed",
            ValueType.wholeNumber(Long.MIN_VALUE, Long.MAX_VALUE),
            "1",
            "the seed of everything that is drawn by chance");
    public static final Property<Path> RESULTS =
            new Property<>("results", ValueType.path(), "target/siemload", "the directory for results");
    public static final Property<Path> CACHE = without(
            "cache",
            ValueType.path(),
            "the directory for loaded data sets that are kept; siemload in $XDG_CACHE_HOME or ~/.cache unless given");
    public static final Property<Double> CHECKS = new Property<>(
            "checks",
            ValueType.ratio(),
            "0.01",
            "the share of the searches whose answers are checked after the run, at least 20 of them; 0 for none");
    public static final Property<Boolean> PROBES = new Property<>(
            "probes",
            ValueType.trueOrFalse(),
            "true",
            "whether two more users look for fed events and turn the pages of the newest ones, about two searches a second");
    public static final Property<Boolean> LIVE =
            flag("live", "whether the run can be watched in a browser while it goes on, and by Prometheus");
    public static final Property<InetSocketAddress> LIVE_ADDRESS = new Property<>(
            "liveAddress",
            ListenAddress.TYPE,
            "127.0.0.1:8089",
            "where it can be watched: host:port; anybody who reaches it may look");
    public static final Property<List<URI>> HOST_METRICS = without(
            "hostMetrics",
            MetricsUrl.TYPE,
            "other hosts that are watched once a second: URLs of Prometheus node exporters, with commas between");
    public static final Property<String> FAIL_ON = new Property<>(
            "failOn",
            oneOf("objective", "verdict", "breakdown"),
            "objective",
            "which runs end with an error: those that miss an objective for certain; all but valid ones that kept"
                    + " up and meet all objectives; or only those that broke down");
    public static final Property<Boolean> DETAILS = flag(
            "details",
            "whether all of report.txt is printed at the end, and Gatling's summary, in place of the most"
                    + " important figures");
    public static final Property<Boolean> VERBOSE = flag("verbose", "whether errors come with their stack trace");

    /** Files are handed around; what they say must not turn against whoever uses them. */
    private static final Set<Property<?>> ONLY_FOR_USERS = Set.of(
            URL,
            READ_URLS,
            ALLOW_WRITES,
            ALLOW_BUSY_SERVER,
            YES,
            ABORT_IF,
            IMAGE,
            VIA,
            RELOAD,
            RESULTS,
            CACHE,
            LIVE,
            LIVE_ADDRESS,
            HOST_METRICS,
            DETAILS,
            VERBOSE);

    private final String name;
    private final ValueType<T> type;
    private final String defaultText;
    private final String description;

    Property(String name, ValueType<T> type, String defaultText, String description) {
        this.name = name;
        this.type = type;
        this.defaultText = defaultText;
        this.description = description;
        CATALOGUE.add(this);
    }

    /** One that is true or false, and false unless given. */
    private static Property<Boolean> flag(String name, String description) {
        return new Property<>(name, ValueType.trueOrFalse(), "false", description);
    }

    /** One of these names; a test holds them against the enums of higher floors. */
    private static ValueType<String> oneOf(String... names) {
        return ValueType.choice(Choices.names(List.of(names)));
    }

    /** A text without a default. */
    private static Property<String> text(String name, String description) {
        return without(name, ValueType.text(), description);
    }

    /** One without a default. */
    private static <T> Property<T> without(String name, ValueType<T> type, String description) {
        return new Property<>(name, type, "", description);
    }

    /**
     * Whether only whoever starts siemload may set it, by option or environment, and no file: it says where to connect, what
     * to execute, where to write, who may look, or how much care is taken.
     */
    public boolean isOnlyForUsers() {
        return ONLY_FOR_USERS.contains(this);
    }

    /** All properties, in the order in which people are told them. */
    public static List<Property<?>> all() {
        return Collections.unmodifiableList(CATALOGUE);
    }

    /** The name in {@code -Dname} and {@code --name}. */
    public String name() {
        return name;
    }

    /** The name in the environment: {@code readUrls} is {@code SIEMLOAD_READ_URLS}. */
    public String variable() {
        return Settings.VARIABLE_PREFIX + name.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
    }

    /** One line for people. */
    public String description() {
        return description;
    }

    /** What values it takes. */
    public ValueType<T> type() {
        return type;
    }

    /** The default as it would be written; nothing where the scenario file or the circumstances decide. */
    public Optional<String> defaultText() {
        return Optional.of(defaultText).filter(text -> !text.isEmpty());
    }

    @Override
    public String toString() {
        return name;
    }

    /**
     * The type of database urls: those that are written as one without a password is, by a grammar for each database. Anything
     * else may hold one in a place that nobody thought of, and is refused before a driver sees it, by messages that do not
     * repeat it.
     */
    static final class ConnectionUrl {
        static final ValueType<String> TYPE = ValueType.of("URL without a password", "", ConnectionUrl::parse);

        /** Blanks, or commas before the begin of another url, since commas may also stand in one. */
        private static final Pattern BETWEEN = Pattern.compile("\\s+|,\\s*(?=[a-z][a-z+]*:[a-z/])");

        /** Several, all different. */
        static final ValueType<List<String>> LIST_TYPE = ValueType.of(
                "URLs without passwords, with blanks or commas between", List.of(), ConnectionUrl::parseAll);

        private static final int MOST_CHARACTERS = 2_000;

        private static final Pattern PORT = Pattern.compile(":(\\d+)(?=[,/]|$)");

        private static final String HELP =
                "give the password by SIEMLOAD_PASSWORD or SIEMLOAD_PASSWORD_FILE, the user by SIEMLOAD_USER";

        private static final List<Pattern> PASSWORDS = Stream.concat(
                        Stream.of(
                                Pattern.compile("//[^/?#@:]*:[^@?]*@"),
                                Pattern.compile("(password|passwd|pwd)\\s*=", Pattern.CASE_INSENSITIVE)),
                        DatabaseNotation.all().stream().flatMap(notation -> notation.passwordsInUrls().stream()))
                .toList();

        /** The form of urls of databases without a DatabaseNotation: none of their options is known. */
        private static final UrlForm OTHER = new UrlForm(
                "",
                "[a-z][\\w+.:-]*://" + UrlForm.SERVERS + "(?:/" + UrlForm.NAME + ")?",
                "",
                "kind://host:port/database");

        private static final List<UrlForm> FORMS = Stream.concat(
                        DatabaseNotation.all().stream().flatMap(notation -> notation.urlForms().stream()),
                        Stream.of(OTHER))
                .toList();

        private ConnectionUrl() {}

        private static List<String> parseAll(String text) {
            List<String> urls = Stream.of(
                            BETWEEN.split(ValueType.text().parse(text).strip()))
                    .map(ConnectionUrl::parse)
                    .toList();
            if (urls.stream().distinct().count() < urls.size()) {
                throw new IllegalArgumentException("names a server twice (leave one out)");
            }
            return urls;
        }

        private static String parse(String text) {
            String url = ValueType.text().parse(text);
            if (url.length() > MOST_CHARACTERS) {
                throw new IllegalArgumentException("is longer than " + MOST_CHARACTERS + " characters");
            }
            if (PASSWORDS.stream().anyMatch(pattern -> pattern.matcher(url).find())) {
                throw new IllegalArgumentException("holds a password, which could end up in logs and reports ("
                        + HELP.replaceFirst("the password", "it") + ")");
            }
            FORMS.stream()
                    .filter(form -> url.startsWith(form.start()))
                    .findFirst()
                    .ifPresent(form -> require(form, url));
            return url;
        }

        private static void require(UrlForm form, String url) {
            String[] parts = url.substring(form.start().length()).split("\\?", 2);
            if (!form.rest().matcher(parts[0]).matches()) {
                throw new IllegalArgumentException(
                        "is not written as a url without a password is, and is not shown since"
                                + " it could hold one (write for example " + form.example() + "; " + HELP + ")");
            }
            PORT.matcher(parts[0]).results().map(port -> port.group(1)).forEach(ConnectionUrl::requirePort);
            List<String> given = parts.length == 1 ? List.of() : List.of(parts[1].split("&", -1));
            for (int i = 0; i < given.size(); i++) {
                if (!form.allows(given.get(i))) {
                    throw new IllegalArgumentException("has options of which number " + (i + 1)
                            + " is not known to be free of secrets (allowed: those in docs/inputs.md; " + HELP + ")");
                }
            }
        }

        private static void requirePort(String port) {
            if (!port.matches("\\d{1,5}") || Integer.parseInt(port) < 1 || Integer.parseInt(port) > MOST_PORT) {
                throw new IllegalArgumentException("has the port " + port + " (allowed: 1 to 65535)");
            }
        }
    }

    /** An address of this machine to listen at: {@code host:port}, {@code [IPv6]:port}, or a port of the loopback address. */
    private static final class ListenAddress {
        static final ValueType<InetSocketAddress> TYPE = ValueType.of(
                "host:port, for instance 127.0.0.1:8089; port 0 for any free one",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ListenAddress::parse);

        private static final Pattern FORM = Pattern.compile("(?:(\\[[0-9A-Fa-f:.%]+]|[^:\\[\\]]+):)?([0-9]{1,5})");

        private static InetSocketAddress parse(String text) {
            Matcher form = FORM.matcher(text);
            if (!form.matches() || Integer.parseInt(form.group(2)) > MOST_PORT) {
                throw new IllegalArgumentException("'" + text + "' is not host:port with a port up to " + MOST_PORT
                        + " (write for example 127.0.0.1:8089)");
            }
            InetSocketAddress address = new InetSocketAddress(
                    form.group(1) == null ? "127.0.0.1" : form.group(1), Integer.parseInt(form.group(2)));
            if (address.isUnresolved()) {
                throw new IllegalArgumentException("the host of '" + text + "' is not known here");
            }
            return address;
        }
    }

    /** Where other hosts tell their metrics: {@code http://host:9100/metrics}, perhaps with user and password. */
    private static final class MetricsUrl {
        static final ValueType<List<URI>> TYPE =
                ValueType.of("URLs of node exporters, with commas between", List.of(), MetricsUrl::parseAll);

        private static List<URI> parseAll(String text) {
            List<URI> urls =
                    Stream.of(text.split(",", -1)).map(MetricsUrl::parse).toList();
            if (urls.stream()
                            .map(url -> url.getHost() + ":" + url.getPort())
                            .distinct()
                            .count()
                    < urls.size()) {
                throw new IllegalArgumentException("names a host twice (leave one out)");
            }
            return urls;
        }

        /** Messages do not repeat what was given, which may hold a password. */
        private static URI parse(String text) {
            try {
                URI url = new URI(text.strip());
                if (String.valueOf(url.getScheme()).matches("https?")
                        && url.getHost() != null
                        && url.getRawFragment() == null) {
                    Optional.ofNullable(url.getUserInfo())
                            .ifPresent(given -> Secrets.know(given.substring(given.indexOf(':') + 1)));
                    return url;
                }
            } catch (URISyntaxException malformed) {
                // As those that are no URLs of the web.
            }
            throw new IllegalArgumentException("is no list of http or https URLs with a host and without #"
                    + " (write for example http://host:9100/metrics, several with commas between)");
        }
    }
}
