package siemload.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.util.DefaultLocale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.GoldenFile;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.query.Paging;

class SettingsTest {

    /** Each costs for ever: what a scenario has is set by its path. */
    @Test
    void thereAreAtMost45() {
        assertThat(Property.all()).hasSizeLessThanOrEqualTo(45);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:8089, 127.0.0.1, 8089",
        "9000, 127.0.0.1, 9000",
        "0.0.0.0:0, 0.0.0.0, 0",
        "[::1]:80, 0:0:0:0:0:0:0:1, 80"
    })
    void anAddressToListenAtIsAHostAndAPort(String text, String host, int port) {
        InetSocketAddress address = Property.LIVE_ADDRESS.type().parse(text);

        assertThat(address.getAddress().getHostAddress()).isEqualTo(host);
        assertThat(address.getPort()).isEqualTo(port);
    }

    @Test
    void anOptionWinsOverAPropertyAndThatOverTheEnvironment() {
        Map<String, String> options = Map.of("users", "1");
        Map<String, String> properties = Map.of("users", "2", "warmup", "2s");
        Map<String, String> environment = Map.of("SIEMLOAD_USERS", "3", "SIEMLOAD_WARMUP", "3s", "SIEMLOAD_EPS", "3.5");

        Settings settings = Settings.of(options, properties, environment);

        assertThat(settings.value(Property.USERS)).isEqualTo(1);
        assertThat(settings.value(Property.WARMUP)).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.value(Property.EPS)).isEqualTo(3.5);
        assertThat(settings.list())
                .contains(
                        new Setting("users", "1", new Origin.Option("users")),
                        new Setting("warmup", "2s", new Origin.SystemProperty("warmup")),
                        new Setting("eps", "3.5", new Origin.Environment("SIEMLOAD_EPS")));
    }

    @Test
    void theTextOfSettingsShowsNoPassword() {
        Map<String, String> environment = Map.of("SIEMLOAD_USER", "me", "SIEMLOAD_PASSWORD", "hunter2");

        assertThat(Settings.of(Map.of(), Map.of(), environment).toString())
                .contains("user=me")
                .doesNotContain("hunter2");
    }

    @Test
    void propertiesOfOthersAreLeftAlone() {
        Map<String, String> others = new HashMap<>();
        for (String name :
                ("user basedir test skipTests argLine groups env localRepository gatling.users surefire.timeout"
                                + " user.timezone file.encoding maven.home style.color debug encoding")
                        .split(" ")) {
            others.put(name, "x");
        }
        Settings settings = Settings.of(Map.of(), others, Map.of());

        assertThat(settings.list()).extracting(Setting::origin).hasOnlyElementsOfType(Origin.Default.class);
    }

    @Test
    void aCommaWithoutANameBehindItBelongsToTheValueOfAParameter() {
        assertThat(Property.PARAMETERS.type().parse("search_path=a,b, jit = off,auto_explain.log_min_duration=1=2"))
                .isEqualTo(Map.of("search_path", "a,b", "jit", "off", "auto_explain.log_min_duration", "1=2"));
    }

    @Test
    void whatTheEnumsHaveMayBeGiven() {
        assertThat(Property.PROVISION.type().allowed()).isEqualTo(labels(Provision.values(), Provision::label));
        assertThat(Property.PARTITIONS.type().allowed()).isEqualTo(labels(Partitions.values(), Partitions::label));
        assertThat(Property.INDEXES.type().allowed()).isEqualTo(labels(IndexSet.values(), IndexSet::label));
        assertThat(Property.HINT.type().allowed()).isEqualTo(labels(Hint.values(), Hint::label));
        assertThat(Property.PAGING.type().allowed()).isEqualTo(labels(Paging.values(), Paging::label));
    }

    private static <E> String labels(E[] constants, Function<E, String> label) {
        return Stream.of(constants).map(label).collect(Collectors.joining(" | "));
    }

    @Test
    void theCacheIsWhereTheEnvironmentKeepsCaches() {
        Map<String, String> home = Map.of("user.home", "/home/a");

        assertThat(cache(Map.of(), home)).isEqualTo(Path.of("/home/a/.cache/siemload"));
        assertThat(cache(Map.of("XDG_CACHE_HOME", "/var/c"), home)).isEqualTo(Path.of("/var/c/siemload"));
        assertThat(cache(Map.of("XDG_CACHE_HOME", "relative"), home)).isEqualTo(Path.of("/home/a/.cache/siemload"));
        assertThat(cache(Map.of("SIEMLOAD_CACHE", "/x"), home)).isEqualTo(Path.of("/x"));
    }

    @Test
    @DefaultLocale("tr-TR-u-nu-arab")
    void nothingDependsOnTheLocale() {
        assertThat(problemsOf(Map.of("users", "1.5", "eps", "99999999"), Map.of()))
                .isEqualTo("-Dusers: '1.5' is not a whole number (allowed: 1 to 100000)\n"
                        + "-Deps: 99999999 is too large (allowed: 0 to 10000000)");
        assertThat(Property.READ_URLS.variable()).isEqualTo("SIEMLOAD_READ_URLS");
        assertThat(Property.URL.variable()).isEqualTo("SIEMLOAD_URL");
        assertThat(Property.PROVISION.variable()).isEqualTo("SIEMLOAD_PROVISION");
    }

    private static Path cache(Map<String, String> environment, Map<String, String> properties) {
        return Settings.of(Map.of(), properties, environment).value(Property.CACHE);
    }

    private static String problemsOf(Map<String, String> properties, Map<String, String> environment) {
        ConfigException thrown =
                catchThrowableOfType(ConfigException.class, () -> Settings.of(Map.of(), properties, environment));
        assertThat(thrown).as("the problems of %s %s", properties, environment).isNotNull();
        return thrown.getMessage();
    }

    @Test
    void eachMistakeIsToldAndNoSecretIsRepeated() throws IOException {
        GoldenFile.of("messages/settings.txt").assertEach(line -> {
            Map<String, String> properties = new HashMap<>();
            Map<String, String> environment = new HashMap<>();
            for (String part : line.split(" ")) {
                String name = part.substring(0, part.indexOf('='));
                String value = part.substring(part.indexOf('=') + 1);
                if (name.startsWith("-D")) {
                    properties.put(name.substring(2), value);
                } else {
                    environment.put(name, value);
                }
            }
            String problems = problemsOf(properties, environment);
            assertThat(problems).doesNotContain("3cret", "/cret");
            return problems;
        });
    }
}
