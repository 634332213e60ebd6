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
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A property of a run: {@code -Dname=value}, {@code --name=value} or {@code SIEMLOAD_NAME=value}. The constants of this class are all
 * properties; the help explains each of them. Immutable.
 *
 * @param name in {@code -Dname} and {@code --name}
 * @param standard the default as a user would write it; empty if the scenario file or the circumstances decide
 * @param isOnlyForUsers whether only the user who starts siemload may set the property, by option or environment. Files must not determine
 *     where to connect, what to execute, where to write, who may look, or how much care is taken
 */
public record Property<T>(String name, ValueType<T> type, String standard, boolean isOnlyForUsers) {
    /** Each property is added to this list, so the list is declared first. */
    private static final List<Property<?>> CATALOGUE = new ArrayList<>();

    private static final Duration DAY = Duration.ofDays(1);
    private static final Pattern HOST_AND_PORT = Pattern.compile("(?:(\\[[0-9A-Fa-f:.%]+]|[^:\\[\\]]+):)?([0-9]{1,5})");

    public static final Property<String> SCENARIO = inFiles("scenario", ValueType.text(), "hawat");
    public static final Property<String> DATASET = inFiles("dataset", ValueType.text(), "");
    public static final Property<String> DATA = inFiles("data", oneOf("dataset", "existing"), "dataset");
    public static final Property<Boolean> ALLOW_WRITES = ofUsers("allowWrites", ValueType.trueOrFalse(), "false");
    public static final Property<Integer> AMPLIFY = inFiles("amplify", ValueType.wholeNumber(1, 1_000_000), "1");
    public static final Property<String> FORMAT = inFiles("format", ValueType.text(), "auto");
    public static final Property<String> TARGET =
            inFiles("target", ValueType.text(), DatabaseNotation.all().get(0).target());
    public static final Property<String> PROVISION =
            inFiles("provision", oneOf("embedded", "container", "external"), "embedded");
    public static final Property<String> URL = ofUsers("url", UrlForm.url(), "");
    public static final Property<List<String>> READ_URLS = ofUsers("readUrls", UrlForm.urls(), "");
    public static final Property<Boolean> ALLOW_BUSY_SERVER =
            ofUsers("allowBusyServer", ValueType.trueOrFalse(), "false");
    public static final Property<Boolean> YES = ofUsers("yes", ValueType.trueOrFalse(), "false");
    public static final Property<List<AbortCondition>> ABORT_IF = ofUsers("abortIf", AbortCondition.TYPE, "");
    public static final Property<String> IMAGE = ofUsers("image", ValueType.text(), "");
    public static final Property<Long> CONTAINER_MEMORY =
            inFiles("containerMemory", ValueType.byteSize("memory"), "2g");
    public static final Property<Double> CONTAINER_CPUS = inFiles("containerCpus", ValueType.number(0.1, 1024), "2");
    public static final Property<String> LAYOUT = inFiles("layout", ValueType.text(), "");
    public static final Property<String> PARTITIONS = inFiles("partitions", oneOf("none", "day"), "");
    public static final Property<String> INDEXES =
            inFiles("indexes", oneOf("none", "time", "fields", "compound", "native"), "native");
    public static final Property<String> HINT = inFiles(
            "hint", oneOf("none", "full-scan", "full-scan-parallel", "index", "time-index", "first-rows"), "none");
    public static final Property<String> PAGING = inFiles("paging", oneOf("offset", "keyset", "cursor"), "offset");
    public static final Property<Integer> USERS = inFiles("users", ValueType.wholeNumber(1, 100_000), "");
    public static final Property<Double> ARRIVALS = inFiles("arrivals", ValueType.number(0.001, 10_000), "");
    public static final Property<Double> EPS = inFiles("eps", ValueType.number(0, 10_000_000), "");
    public static final Property<Duration> WARMUP = inFiles("warmup", ValueType.duration(Duration.ZERO, DAY), "");
    public static final Property<Duration> DURATION =
            inFiles("duration", ValueType.duration(Duration.ofSeconds(1), Duration.ofDays(30)), "");
    public static final Property<String> SEARCHES = inFiles("searches", ValueType.text(), "");
    public static final Property<SortedMap<String, String>> PARAMETERS =
            inFiles("parameters", ValueType.assignments(), "");
    public static final Property<Boolean> SETTLE = inFiles("settle", ValueType.trueOrFalse(), "false");
    public static final Property<Duration> TIMEOUT =
            inFiles("timeout", ValueType.duration(Duration.ofMillis(1), DAY), "60s");
    public static final Property<Boolean> RELOAD = ofUsers("reload", ValueType.trueOrFalse(), "false");
    public static final Property<Integer> WORKERS = inFiles("workers", ValueType.wholeNumber(1, 10_000), "");
    public static final Property<Integer> INJECTORS = inFiles("injectors", ValueType.wholeNumber(1, 1_000), "1");
    public static final Property<String> VIA = ofUsers("via", ValueType.text(), "");
    public static final Property<Long> SEED =
            inFiles("seed", ValueType.wholeNumber(Long.MIN_VALUE, Long.MAX_VALUE), "1");
    public static final Property<Path> RESULTS = ofUsers("results", ValueType.path(), "target/siemload");
    public static final Property<Path> CACHE = ofUsers("cache", ValueType.path(), "");
    public static final Property<Double> CHECKS = inFiles("checks", ValueType.ratio(), "0.01");
    public static final Property<Boolean> PROBES = inFiles("probes", ValueType.trueOrFalse(), "true");
    public static final Property<Boolean> LIVE = ofUsers("live", ValueType.trueOrFalse(), "false");
    public static final Property<InetSocketAddress> LIVE_ADDRESS = ofUsers(
            "liveAddress",
            new ValueType<>(
                    "host:port, for instance 127.0.0.1:8089; port 0 for any free port",
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    Property::address),
            "127.0.0.1:8089");
    public static final Property<List<URI>> HOST_METRICS = ofUsers(
            "hostMetrics",
            new ValueType<>("URLs of node exporters, separated by commas", List.of(), Property::exporters),
            "");
    public static final Property<String> FAIL_ON =
            inFiles("failOn", oneOf("objective", "verdict", "breakdown"), "objective");
    public static final Property<Boolean> DETAILS = ofUsers("details", ValueType.trueOrFalse(), "false");
    public static final Property<Boolean> VERBOSE = ofUsers("verbose", ValueType.trueOrFalse(), "false");

    /** Creates a property that files may set as well as users. */
    private static <T> Property<T> inFiles(String name, ValueType<T> type, String standard) {
        Property<T> property = new Property<>(name, type, standard, false);
        CATALOGUE.add(property);
        return property;
    }

    /** Creates a property that no file may set: files are shared, and must not harm the people who run them. */
    private static <T> Property<T> ofUsers(String name, ValueType<T> type, String standard) {
        Property<T> property = new Property<>(name, type, standard, true);
        CATALOGUE.add(property);
        return property;
    }

    /** Returns a choice of these names; a test compares the names with the enums of higher packages. */
    private static ValueType<String> oneOf(String... names) {
        return ValueType.choice(Choices.names(List.of(names)));
    }

    /** Returns all properties in the order in which they are shown. */
    public static List<Property<?>> all() {
        return Collections.unmodifiableList(CATALOGUE);
    }

    /** Returns the property with this name. */
    public static Optional<Property<?>> named(String name) {
        return CATALOGUE.stream().filter(property -> property.name.equals(name)).findFirst();
    }

    /** Returns the name of the environment variable: {@code SIEMLOAD_READ_URLS} for {@code readUrls}. */
    public String variable() {
        return Settings.VARIABLE_PREFIX + name.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
    }

    /** Returns the default as a user would write it, if there is one. */
    public Optional<String> defaultText() {
        return Optional.of(standard).filter(text -> !text.isEmpty());
    }

    @Override
    public String toString() {
        return name;
    }

    /** Reads an address of this machine on which to listen: {@code host:port}, {@code [IPv6]:port}, or a port of the loopback address. */
    private static InetSocketAddress address(String text) {
        Matcher form = HOST_AND_PORT.matcher(text);
        String unlike = "'" + text + "' is not host:port with a port up to 65535 (write for example 127.0.0.1:8089)";
        ValueType.require(form.matches() && Integer.parseInt(form.group(2)) <= UrlForm.MOST_PORT, unlike);
        String host = form.group(1) == null ? "127.0.0.1" : form.group(1);
        InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(form.group(2)));
        ValueType.require(!address.isUnresolved(), "the host of '" + text + "' is unknown on this machine");
        return address;
    }

    /** Reads the urls of other hosts' metrics. Messages do not repeat the value, which may hold a password. */
    private static List<URI> exporters(String text) {
        List<URI> urls = Stream.of(text.split(",", -1))
                .map(part -> exporter(part.strip()))
                .toList();
        Stream<String> hosts = urls.stream().map(url -> url.getHost() + ":" + url.getPort());
        ValueType.require(hosts.distinct().count() == urls.size(), "names a host twice (remove one)");
        return urls;
    }

    private static URI exporter(String text) {
        try {
            URI url = new URI(text);
            Optional.ofNullable(url.getUserInfo())
                    .ifPresent(user -> Secrets.know(user.substring(user.indexOf(':') + 1)));
            if (text.matches("https?:.*") && url.getHost() != null && url.getRawFragment() == null) {
                return url;
            }
        } catch (URISyntaxException malformed) {
            // The exception is dropped, since its message would repeat the text, which may hold a password.
        }
        throw new IllegalArgumentException("is not a list of http or https URLs with a host and without #"
                + " (write for example http://host:9100/metrics, separated by commas)");
    }
}
