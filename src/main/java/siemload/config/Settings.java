package siemload.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The settings of a run, given outside of its scenario file: the value of each {@link Property} and its origin. In order of precedence,
 * values come from options, system properties, the environment, the scenario file and the defaults. Immutable.
 */
public final class Settings {
    static final String VARIABLE_PREFIX = "SIEMLOAD_";
    /** The default of abortIf on a server that siemload did not start. */
    private static final String WHERE_OTHERS_WORK = "errorRatio > 0.2 for 10s, p95 > 30s for 30s";

    /** The paths of the scenario's values that settings can change. */
    private static final Pattern OF_SCENARIOS =
            Pattern.compile("objectives|(analysts|feeder|phases|procedure|replay|retention)\\..*");

    /** Names of Java's and Maven's properties that resemble siemload's, and are not reported as misspelt. */
    private static final Set<String> OTHERS = Set.of("user", "test", "groups", "basedir", "argLine", "env", "path");

    /** The provision that each of these properties implies. */
    private static final List<Map.Entry<Property<String>, String>> PROVISIONS =
            List.of(Map.entry(Property.URL, "external"), Map.entry(Property.IMAGE, "container"));

    private final Map<Property<?>, Setting> written = new LinkedHashMap<>();
    private final Map<Property<?>, Object> values = new HashMap<>();
    private final List<Setting> ofScenario;
    private final Credentials credentials;
    /** Passwords from the files of the database's own programs, by the driver's url. */
    private final Map<String, String> passwords = new HashMap<>();

    /** @param all the value of highest precedence for each name */
    private Settings(Map<String, Setting> all, Map<String, String> environment, Problems problems) {
        for (Property<?> property : Property.all()) {
            Optional.ofNullable(all.get(property.name())).ifPresent(setting -> {
                written.put(property, setting);
                problems.collect(
                                setting.origin(), () -> (Object) property.type().parse(setting.value()))
                        .ifPresent(value -> values.put(property, value));
            });
        }
        ofScenario = all.values().stream()
                .filter(setting -> isOfScenario(setting.name()))
                // A value for one group takes precedence over a value for all groups.
                .sorted(Comparator.comparing(setting -> !setting.name().startsWith("analysts.all.")))
                .toList();
        credentials = Credentials.read(environment, UnaryOperator.identity(), problems);
        noteContradictions(environment, problems);
        replace(Property.URL, this::driverUrl, problems);
        replace(Property.READ_URLS, urls -> urls.stream().map(this::driverUrl).toList(), problems);
    }

    /**
     * Reads the settings of a run; throws a {@link ConfigException} that lists all bad values and misspelt names.
     *
     * @param options the options of a {@code siemload} command, by the names of {@link Property} or by paths in the scenario
     * @param properties all properties of the Java process
     * @param environment all variables of the Java process
     */
    public static Settings of(List<Setting> options, Map<String, String> properties, Map<String, String> environment) {
        Problems problems = new Problems();
        noteMisspelt(options, properties, environment, problems);
        Settings settings = new Settings(all(options, properties, environment), environment, problems);
        problems.throwIfAny();
        return settings;
    }

    /** Reads the settings of a run whose options were all given as {@code --name} or by {@code --set}. */
    public static Settings of(
            Map<String, String> options, Map<String, String> properties, Map<String, String> environment) {
        List<Setting> given = options.entrySet().stream()
                .map(one -> Setting.option(one.getKey(), one.getValue()))
                .toList();
        return of(given, properties, environment);
    }

    private <T> void replace(Property<T> property, UnaryOperator<T> by, Problems problems) {
        find(property)
                .flatMap(value -> problems.collect(origin(property), () -> by.apply(value)))
                .ifPresent(value -> values.put(property, value));
    }

    /** Returns the driver's url for a url in the form of the database's own programs; returns any other url unchanged. */
    private String driverUrl(String url) {
        for (DatabaseNotation notation : DatabaseNotation.all()) {
            Optional<DatabaseNotation.NamedServer> server = notation.namedServer(url, credentials.user());
            if (server.isPresent()) {
                // A url that is completed from files is checked like any other url.
                String checked = Property.URL.type().parse(server.get().url());
                server.get().password().ifPresent(password -> passwords.put(checked, password));
                return checked;
            }
        }
        return url;
    }

    /** Returns the value of a property, if it has one; a property without a default has a value only if one is given. */
    @SuppressWarnings("unchecked") // the property's own type made the value
    public <T> Optional<T> find(Property<T> property) {
        return Optional.ofNullable(values.get(property)).map(found -> (T) found);
    }

    /** Returns the value of a property; throws {@link NoSuchElementException} if the property has no value. */
    public <T> T value(Property<T> property) {
        return find(property).orElseThrow(() -> new NoSuchElementException("-D" + property + " is not given"));
    }

    /** Returns the value of a property as text with its origin, if there is a value. */
    public Optional<Setting> setting(Property<?> property) {
        return Optional.ofNullable(written.get(property));
    }

    /** Returns the value of a property as text with its origin, if the value was given explicitly. */
    public Optional<Setting> given(Property<?> property) {
        return setting(property).filter(Setting::wasGiven);
    }

    /** Notes a problem with the message {@code why} for each unwanted property that was given. */
    public void refuseGiven(Collection<Property<?>> unwanted, String why, Problems problems) {
        unwanted.forEach(one -> given(one).ifPresent(setting -> problems.add(setting.origin(), why)));
    }

    /** Returns the origin of a property's value; this is {@link Origin.Default} if no value was given. */
    public Origin origin(Property<?> property) {
        return setting(property).map(Setting::origin).orElse(new Origin.Default());
    }

    /** Returns whether a name is the path of a scenario's value, as {@code --set} takes it: {@code procedure.passes}. */
    public static boolean isOfScenario(String name) {
        return OF_SCENARIOS.matcher(name).matches();
    }

    /** Returns the scenario's values that were set by their paths. */
    public List<Setting> ofScenario() {
        return ofScenario;
    }

    /** Returns all properties with a value, in the order of {@link Property#all}, then the scenario's values that were set. */
    public List<Setting> list() {
        List<Setting> settings = new ArrayList<>(written.values());
        settings.addAll(ofScenario);
        return List.copyOf(settings);
    }

    /** Returns user and password for external databases, as far as {@code SIEMLOAD_...} variables give them. */
    public Credentials credentials() {
        return credentials;
    }

    /** Returns user and password for the server of this url, which is {@link Property#URL} or one of {@link Property#READ_URLS}. */
    public Credentials credentials(String url) {
        Optional<String> password = credentials.password().or(() -> Optional.ofNullable(passwords.get(url)));
        return new Credentials(credentials.user(), password);
    }

    @Override
    public String toString() {
        return list() + " " + credentials;
    }

    /** Returns for each name the value of highest precedence: the given one, one implied by other values, or the default. */
    private static Map<String, Setting> all(
            List<Setting> options, Map<String, String> properties, Map<String, String> environment) {
        Map<String, Setting> all = new TreeMap<>();
        Optional.ofNullable(properties.get("user.home"))
                .ifPresent(home -> put(all, Property.CACHE, home + "/.cache/siemload", new Origin.Default()));
        Optional.ofNullable(environment.get("XDG_CACHE_HOME"))
                .filter(caches -> Path.of(caches).isAbsolute())
                .ifPresent(caches ->
                        put(all, Property.CACHE, caches + "/siemload", new Origin.Environment("XDG_CACHE_HOME")));
        for (Property<?> property : Property.all()) {
            property.defaultText().ifPresent(text -> put(all, property, text, new Origin.Default()));
            Optional.ofNullable(environment.get(property.variable()))
                    .ifPresent(text -> put(all, property, text, new Origin.Environment(property.variable())));
        }
        properties.forEach((name, text) -> all.put(name, new Setting(name, text, new Origin.SystemProperty(name))));
        options.forEach(option -> all.put(option.name(), option));
        for (Map.Entry<Property<String>, String> one : PROVISIONS) {
            Setting said = all.get(one.getKey().name());
            Setting provision = all.get(Property.PROVISION.name());
            if (said != null && provision != null && !provision.wasGiven()) {
                put(all, Property.PROVISION, one.getValue(), said.origin());
            }
        }
        if (all.containsKey(Property.URL.name()) && !all.containsKey(Property.ABORT_IF.name())) {
            put(all, Property.ABORT_IF, WHERE_OTHERS_WORK, new Origin.Default());
        }
        return all;
    }

    private static void put(Map<String, Setting> all, Property<?> property, String value, Origin origin) {
        all.put(property.name(), new Setting(property.name(), value, origin));
    }

    private void noteContradictions(Map<String, String> environment, Problems problems) {
        Optional<Setting> url = setting(Property.URL);
        Optional<Setting> readUrls = setting(Property.READ_URLS);
        Setting provision = setting(Property.PROVISION).orElseThrow();
        PROVISIONS.forEach(one -> setting(one.getKey())
                .filter(unused -> !provision.value().equals(one.getValue()))
                .ifPresent(misplaced -> problems.add(
                        misplaced.origin(),
                        "is for provision=" + one.getValue() + ", but that is " + provision.value() + " ("
                                + provision.origin() + "): remove one")));
        if (url.isEmpty() && provision.value().equals("external")) {
            problems.add(provision.origin(), "external needs the url of the database (give -Durl)");
        }
        if (url.isEmpty()) {
            readUrls.ifPresent(others ->
                    problems.add(others.origin(), "names further servers, but no url is given (give -Durl as well)"));
        }
        // Values of the environment belong together: a password for one server must not be sent to another server.
        Optional<String> known = Optional.ofNullable(environment.get(Property.URL.variable()));
        if (known.isEmpty() || Credentials.VARIABLES.stream().noneMatch(environment::containsKey)) {
            return;
        }
        url.filter(other -> !other.value().equals(known.get()))
                .ifPresent(other -> problems.add(
                        other.origin(),
                        "is not the server for which the environment has credentials (set " + Property.URL.variable()
                                + " to this url, with the user and password for it, or unset SIEMLOAD_URL)"));
        // Settings of experiments are options of their runs, so the value tells whether it is that of the environment.
        readUrls.filter(others -> !others.value().equals(environment.get(Property.READ_URLS.variable())))
                .ifPresent(others -> problems.add(
                        others.origin(),
                        "are not the server for which the environment has credentials (set "
                                + Property.READ_URLS.variable() + " if these credentials may be sent there)"));
    }

    /** Notes misspelt names: without this check, {@code -Dusrs=5} would be ignored without a message. */
    private static void noteMisspelt(
            List<Setting> options, Map<String, String> properties, Map<String, String> environment, Problems problems) {
        List<String> names = Property.all().stream().map(Property::name).toList();
        List<String> near = new ArrayList<>(names);
        near.add("objectives");
        for (Setting option : options) {
            if (!names.contains(option.name()) && !isOfScenario(option.name())) {
                String known = Choices.suggestion(option.name(), near) + "known: " + String.join(", ", names);
                problems.add(option.origin(), "unknown option (" + known + ")");
            }
        }
        for (String name : new TreeSet<>(properties.keySet())) {
            Origin origin = new Origin.SystemProperty(name);
            if (name.equals("password")) {
                String allowed = String.join(", ", Credentials.PASSWORD, Credentials.PASSWORD_FILE);
                problems.add(origin, "passwords are not taken from properties (allowed: " + allowed + ")");
            } else if (!name.contains(".") && !OTHERS.contains(name)) {
                meant(name, near)
                        .ifPresent(meant -> problems.add(origin, "unknown property (did you mean -D" + meant + "?)"));
            }
        }
        List<String> variables = new ArrayList<>(Credentials.VARIABLES);
        Property.all().forEach(property -> variables.add(property.variable()));
        for (String name : new TreeSet<>(environment.keySet())) {
            // USER_A resembles USERS, but is for variant A; PASSWORD_FIL is a misspelling, not for a variant FIL.
            boolean isOfVariant = Credentials.startOfVariant(name).isPresent();
            meant(name, variables)
                    .filter(meant -> name.startsWith(VARIABLE_PREFIX)
                            && (meant.equals(Credentials.PASSWORD_FILE) || !isOfVariant))
                    .ifPresent(meant -> problems.add(
                            new Origin.Environment(name), "unknown variable (did you mean " + meant + "?)"));
        }
    }

    /** Returns the known name that a name probably misspells; empty if the name itself is known, or no known name is near. */
    private static Optional<String> meant(String name, List<String> known) {
        return Choices.nearest(name, known)
                .filter(meant -> !known.contains(name))
                .filter(meant -> Choices.distance(name, meant)
                        <= (meant.replace(VARIABLE_PREFIX, "").length() <= 4 ? 1 : 2));
    }
}
