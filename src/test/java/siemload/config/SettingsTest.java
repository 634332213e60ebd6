package siemload.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.InEveryLocale;

class SettingsTest {

    @TempDir
    Path directory;

    @Test
    void everyConstantIsInTheCatalogue() throws IllegalAccessException {
        List<Object> constants = new ArrayList<>();
        for (Class<?> declaring : List.of(Property.class, ProcedureProperty.class)) {
            for (Field field : declaring.getFields()) {
                if (Modifier.isStatic(field.getModifiers())) {
                    constants.add(field.get(null));
                }
            }
        }

        assertThat(Property.all()).containsExactlyElementsOf(cast(constants));
    }

    @Test
    void everyDefaultIsAllowed() {
        for (Property<?> property : Property.all()) {
            property.defaultText()
                    .ifPresent(text -> assertThat(property.type().parse(text))
                            .as(property.name())
                            .isNotNull());
        }
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

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:65536", "localhost:", ":80", "a:b:80", "80x"})
    void anythingElseIsNoAddressToListenAt(String text) {
        assertThatThrownBy(() -> Property.LIVE_ADDRESS.type().parse(text))
                .hasMessageContaining("'" + text + "' is not host:port")
                .hasMessageContaining("127.0.0.1:8089");
    }

    @Test
    void credentialsForOneServerDoNotReachAnother() {
        Map<String, String> environment =
                Map.of("SIEMLOAD_URL", "jdbc:postgresql://db/siem", "SIEMLOAD_USER", "siemload");

        assertThat(problemsOf(Map.of("url", "jdbc:postgresql://other/siem"), environment))
                .startsWith("-Durl: is not the server that the environment has credentials for")
                .contains("set SIEMLOAD_URL to it as well");
        assertThat(Settings.of(new SettingSources(Map.of("url", "jdbc:postgresql://db/siem"), Map.of(), environment))
                        .value(Property.URL))
                .isEqualTo("jdbc:postgresql://db/siem");
    }

    @Test
    void theyReachOtherServersOnlyWhereTheEnvironmentNamesThem() {
        Map<String, String> environment = Map.of(
                "SIEMLOAD_URL", "jdbc:postgresql://db/siem",
                "SIEMLOAD_USER", "siemload",
                "SIEMLOAD_OTHER_URLS", "jdbc:postgresql://db2/siem  jdbc:postgresql://db3/siem");

        assertThat(Settings.of(new SettingSources(Map.of(), Map.of(), environment))
                        .value(Property.OTHER_URLS))
                .containsExactly("jdbc:postgresql://db2/siem", "jdbc:postgresql://db3/siem");
        assertThat(problemsOf(Map.of("otherUrls", "jdbc:postgresql://db4/siem"), environment))
                .startsWith("-DotherUrls: are not the server that the environment has credentials for")
                .contains("set SIEMLOAD_OTHER_URLS");
        assertThat(problemsOf(
                        Map.of(
                                "url", "jdbc:postgresql://db/siem",
                                "otherUrls", "jdbc:postgresql://db2/siem jdbc:postgresql://db2/siem"),
                        Map.of()))
                .startsWith("-DotherUrls: names a server twice (leave one out)");
    }

    @Test
    void noPropertyHasAPrefixThatGatlingsPluginHoldsBack() {
        assertThat(Property.all()).extracting(Property::name).allMatch(name -> !name.contains("."));
    }

    @Test
    void withoutSourcesDefaultsCount() {
        Settings settings = Settings.of(SettingSources.NONE);

        assertThat(settings.value(Property.SCENARIO)).isEqualTo("hawat");
        assertThat(settings.value(Property.TIMEOUT)).isEqualTo(Duration.ofMinutes(1));
        assertThat(settings.value(Property.SPAN)).isEqualTo(Duration.ofDays(7));
        assertThat(settings.value(Property.PROVISION)).isEqualTo("embedded");
        assertThat(settings.find(Property.USERS)).isEmpty();
        assertThat(settings.setting(Property.SEED)).contains(new Setting("seed", "1", new Origin.Default()));
        assertThatThrownBy(() -> settings.value(Property.URL))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage("-Durl is not given");
    }

    @Test
    void anOptionWinsOverAPropertyAndThatOverTheEnvironment() {
        Map<String, String> options = Map.of("users", "1");
        Map<String, String> properties = Map.of("users", "2", "thinkTime", "2s");
        Map<String, String> environment =
                Map.of("SIEMLOAD_USERS", "3", "SIEMLOAD_THINK_TIME", "3s", "SIEMLOAD_EPS", "3.5");

        Settings settings = Settings.of(new SettingSources(options, properties, environment));

        assertThat(settings.value(Property.USERS)).isEqualTo(1);
        assertThat(settings.value(Property.THINK_TIME)).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.value(Property.EPS)).isEqualTo(3.5);
        assertThat(settings.list())
                .contains(
                        new Setting("users", "1", new Origin.Option("users")),
                        new Setting("thinkTime", "2s", new Origin.SystemProperty("thinkTime")),
                        new Setting("eps", "3.5", new Origin.Environment("SIEMLOAD_EPS")));
    }

    @Test
    void allBadValuesAreToldAtOnce() {
        assertThat(problemsOf(
                        Map.of("users", "many", "page", "0", "unreadable", "yes", "hint", "firstrows"),
                        Map.of("SIEMLOAD_DURATION", "60")))
                .isEqualTo("""
                        -Dunreadable: 'yes' is unknown (allowed: skip, fail)
                        -Dhint: 'firstrows' is unknown (did you mean first-rows? allowed: none, full-scan, full-scan-parallel, index, time-index, first-rows)
                        -Dusers: 'many' is not a whole number (allowed: 1 to 100000)
                        SIEMLOAD_DURATION: '60' is not a duration (allowed: 1s to 30d, for example 500ms, 30s, 5m, 1h30m, 7d)
                        -Dpage: 0 is too small (allowed: 1 to 10000000)""");
    }

    @ParameterizedTest
    @CsvSource({
        "usrs, users",
        "USERS, users",
        "thinktime, thinkTime",
        "think-time, thinkTime",
        "ep, eps",
        "scenaro, scenario",
        "durations, duration"
    })
    void aPropertyThatIsNearlyOursIsAProblem(String written, String meant) {
        assertThat(problemsOf(Map.of(written, "5"), Map.of()))
                .isEqualTo("-D" + written + ": unknown property (did you mean -D" + meant + "?)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "user",
                "basedir",
                "test",
                "skipTests",
                "argLine",
                "groups",
                "env",
                "localRepository",
                "gatling.users",
                "surefire.timeout",
                "user.timezone",
                "file.encoding",
                "maven.home",
                "style.color",
                "debug",
                "encoding"
            })
    void propertiesOfOthersAreLeftAlone(String name) {
        Settings settings = Settings.of(new SettingSources(Map.of(), Map.of(name, "x"), Map.of()));

        assertThat(settings.list()).extracting(Setting::origin).hasOnlyElementsOfType(Origin.Default.class);
    }

    @Test
    void thePropertiesOfThisProcessAreNotFlagged() {
        Map<String, String> properties = new java.util.HashMap<>();
        System.getProperties().forEach((key, value) -> properties.put(key.toString(), value.toString()));

        assertThat(Settings.of(new SettingSources(Map.of(), properties, Map.of()))
                        .value(Property.SCENARIO))
                .isEqualTo("hawat");
    }

    @Test
    void aVariableThatIsNearlyOursIsAProblem() {
        assertThat(problemsOf(
                        Map.of(),
                        Map.of("SIEMLOAD_USRES", "5", "SIEMLOAD_PASWORD", "s3cret", "SIEMLOAD_HOME", "/", "USRS", "")))
                .isEqualTo("""
                        SIEMLOAD_PASWORD: unknown variable (did you mean SIEMLOAD_PASSWORD?)
                        SIEMLOAD_USRES: unknown variable (did you mean SIEMLOAD_USERS?)""");
    }

    @Test
    void anUnknownOptionIsAProblem() {
        ConfigException thrown = catchThrowableOfType(
                ConfigException.class, () -> Settings.of(new SettingSources(Map.of("usrs", "5"), Map.of(), Map.of())));

        assertThat(thrown).hasMessageStartingWith("--usrs: unknown option (did you mean users? known: scenario, ");
    }

    @Test
    void theUserAtTheDatabaseIsNotTheNumberOfUsers() {
        Settings settings = Settings.of(
                new SettingSources(Map.of(), Map.of(), Map.of("SIEMLOAD_USER", "reader", "SIEMLOAD_USERS", "7")));

        assertThat(settings.credentials().user()).contains("reader");
        assertThat(settings.credentials().password()).isEmpty();
        assertThat(settings.value(Property.USERS)).isEqualTo(7);
    }

    @Test
    void aPasswordIsNeverShown() {
        SettingSources sources = new SettingSources(
                Map.of(), Map.of(), Map.of("SIEMLOAD_USER", "reader", "SIEMLOAD_PASSWORD", "s3cret"));
        Settings settings = Settings.of(sources);

        assertThat(settings.credentials().password()).contains("s3cret");
        assertThat(settings + " " + sources + " " + settings.list())
                .contains("reader")
                .doesNotContain("s3cret");
    }

    @Test
    void aPasswordAsAPropertyIsRefusedAndNotRepeated() {
        assertThat(problemsOf(Map.of("password", "s3cret"), Map.of()))
                .isEqualTo("-Dpassword: passwords are not taken from here"
                        + " (allowed: SIEMLOAD_PASSWORD, SIEMLOAD_PASSWORD_FILE)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://reader:s3cret@db:5432/siem",
                "jdbc:postgresql://db/siem?user=reader&password=s3cret",
                "jdbc:postgresql://db/siem?PASSWORD=s3cret",
                "mongodb://reader:s3cret@db1:27017,db2:27017/siem",
                "mongodb+srv://reader:s3/cret@db/siem",
                "jdbc:oracle:thin:reader/s3cret@db:1521:x"
            })
    void aUrlWithAPasswordIsRefusedAndNotRepeated(String url) {
        assertThat(problemsOf(Map.of("url", url), Map.of()))
                .isEqualTo("-Durl: holds a password, which could end up in logs and reports"
                        + " (give it by SIEMLOAD_PASSWORD or SIEMLOAD_PASSWORD_FILE, the user by SIEMLOAD_USER)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db:5432/siem?user=reader@server",
                "mongodb://reader@db1:27017,db2:27017/siem?appName=a@b",
                "jdbc:oracle:thin:@//db:1521/x",
                "jdbc:postgresql://[::1]:5432/siem"
            })
    void aUrlMeansAnExternalDatabase(String url) {
        Settings settings = Settings.of(new SettingSources(Map.of(), Map.of("url", url), Map.of()));

        assertThat(settings.value(Property.URL)).isEqualTo(url);
        assertThat(settings.setting(Property.PROVISION))
                .contains(new Setting("provision", "external", new Origin.SystemProperty("url")));
    }

    @Test
    void contradictionsAreProblems() {
        assertThat(problemsOf(Map.of("provision", "embedded", "url", "jdbc:postgresql://db/siem"), Map.of()))
                .isEqualTo("-Durl: is for provision=external, but it is embedded (-Dprovision): leave one out");
        assertThat(problemsOf(Map.of("provision", "external"), Map.of()))
                .isEqualTo(
                        "-Dprovision: external needs to know where the database is (give -Durl, or the variables of its own programs, such as PGHOST)");
        assertThat(problemsOf(Map.of("provision", "embedded", "image", "postgres:18"), Map.of()))
                .isEqualTo("-Dimage: is for provision=container, but it is embedded (-Dprovision): leave one out");
    }

    @Test
    void anImageAsksForAContainer() {
        Settings settings = Settings.of(new SettingSources(Map.of(), Map.of("image", "postgres:18"), Map.of()));

        assertThat(settings.setting(Property.PROVISION))
                .contains(new Setting("provision", "container", new Origin.SystemProperty("image")));
    }

    @Test
    void onKubernetesAnImageIsThatOfInjectors() {
        Map<String, String> given =
                Map.of("on", "kubernetes", "image", "siemload:1", "url", "jdbc:postgresql://db/siem");
        Settings settings = Settings.of(new SettingSources(Map.of(), given, Map.of()));

        assertThat(settings.onKubernetes()).isTrue();
        assertThat(settings.value(Property.PROVISION)).isEqualTo("external");
    }

    @Test
    void whatIsForAClusterIsRefusedWithoutOne() {
        assertThat(problemsOf(Map.of("namespace", "load"), Map.of()))
                .isEqualTo(
                        "-Dnamespace: is for injectors in a cluster (give -Don=kubernetes as well, or leave it out)");
        assertThat(problemsOf(Map.of("on", "kubernetes", "namespace", "Load_"), Map.of()))
                .startsWith("-Dnamespace: 'Load_' is no name of a namespace");
    }

    @ParameterizedTest
    @CsvSource({"256m, 268435456", "512M, 536870912", "2g, 2147483648", "2gb, 2147483648", "1t, 1099511627776"})
    void memoryIsWrittenAsDockerWritesIt(String text, long bytes) {
        Settings settings = Settings.of(new SettingSources(Map.of(), Map.of("containerMemory", text), Map.of()));

        assertThat(settings.value(Property.CONTAINER_MEMORY)).isEqualTo(bytes);
    }

    @Test
    void memoryOutOfRangeOrWithoutUnitIsRefused() {
        assertThat(problemsOf(Map.of("containerMemory", "100m"), Map.of()))
                .isEqualTo("-DcontainerMemory: 100m is too small (allowed: 256m to 64t)");
        assertThat(problemsOf(Map.of("containerMemory", "100t"), Map.of()))
                .isEqualTo("-DcontainerMemory: 100t is too large (allowed: 256m to 64t)");
        assertThat(problemsOf(Map.of("containerMemory", "2048"), Map.of()))
                .isEqualTo("-DcontainerMemory: '2048' is not a size of memory (allowed: 256m to 64t, for example 512m,"
                        + " 2g)");
    }

    @Test
    void theCacheIsWhereTheEnvironmentKeepsCaches() {
        Map<String, String> home = Map.of("user.home", "/home/a");

        assertThat(cache(Map.of(), home)).isEqualTo(Path.of("/home/a/.cache/siemload"));
        assertThat(cache(Map.of("XDG_CACHE_HOME", "/var/c"), home)).isEqualTo(Path.of("/var/c/siemload"));
        assertThat(cache(Map.of("XDG_CACHE_HOME", "relative"), home)).isEqualTo(Path.of("/home/a/.cache/siemload"));
        assertThat(cache(Map.of("SIEMLOAD_CACHE", "/x"), home)).isEqualTo(Path.of("/x"));
    }

    @InEveryLocale
    void nothingDependsOnTheLocale() {
        assertThat(problemsOf(Map.of("users", "1.5", "eps", "99999999"), Map.of()))
                .isEqualTo("-Dusers: '1.5' is not a whole number (allowed: 1 to 100000)\n"
                        + "-Deps: 99999999 is too large (allowed: 0 to 10000000)");
        assertThat(Property.THINK_TIME.variable()).isEqualTo("SIEMLOAD_THINK_TIME");
        assertThat(Property.URL.variable()).isEqualTo("SIEMLOAD_URL");
        assertThat(Property.PROVISION.variable()).isEqualTo("SIEMLOAD_PROVISION");
    }

    private static Path cache(Map<String, String> environment, Map<String, String> properties) {
        return Settings.of(new SettingSources(Map.of(), properties, environment))
                .value(Property.CACHE);
    }

    private static String problemsOf(Map<String, String> properties, Map<String, String> environment) {
        ConfigException thrown = catchThrowableOfType(
                ConfigException.class, () -> Settings.of(new SettingSources(Map.of(), properties, environment)));
        assertThat(thrown).as("the problems of %s %s", properties, environment).isNotNull();
        return thrown.getMessage();
    }

    @SuppressWarnings("unchecked") // the constants of Property are Properties
    private static List<Property<?>> cast(List<?> constants) {
        return (List<Property<?>>) constants;
    }
}
