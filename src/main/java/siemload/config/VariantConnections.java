package siemload.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Where the named variants of an experiment connect to, and as whom. Whoever starts it says so, and no file: the url by
 * {@code --url.NAME} or {@code SIEMLOAD_URL_NAME}, who to be by {@code SIEMLOAD_USER_NAME}, and {@code SIEMLOAD_PASSWORD_NAME} or
 * {@code SIEMLOAD_PASSWORD_FILE_NAME}. What one variant has is given to no other. Immutable; its text shows no value.
 */
public final class VariantConnections {
    /** What begins an option of one variant. */
    public static final String URL_OF = Property.URL.name() + ".";

    /** The longest first: it is no password of a variant FILE. */
    private static final List<String> OF_ONE = List.of(
            Credentials.PASSWORD_FILE + "_",
            Credentials.PASSWORD + "_",
            Credentials.USER + "_",
            Property.URL.variable() + "_");

    private final Map<String, Setting> urls;
    private final Map<String, Map<String, String>> environments;

    private VariantConnections(Map<String, Setting> urls, Map<String, Map<String, String>> environments) {
        this.urls = Map.copyOf(urls);
        this.environments = Map.copyOf(environments);
    }

    /**
     * Those of the variants of an experiment.
     *
     * @param names of all its variants, of which no two have the same variable
     * @param options by {@code url.NAME}
     * @param environment all variables
     * @param common the url of those that have none of their own
     * @throws ConfigException with all urls that are none, and users and passwords that are for no server
     */
    public static VariantConnections of(
            Collection<String> names,
            Map<String, String> options,
            Map<String, String> environment,
            Optional<String> common) {
        Problems problems = new Problems();
        Map<String, Setting> urls = new LinkedHashMap<>();
        Map<String, Map<String, String>> environments = new LinkedHashMap<>();
        for (String name : names) {
            Optional<Setting> url = url(name, options, environment);
            url.ifPresent(setting -> {
                requireUrl(setting, problems);
                urls.put(name, setting);
            });
            environments.put(name, environmentOf(name, url.map(Setting::value), common, environment, problems));
        }
        problems.throwIfAny();
        return new VariantConnections(urls, environments);
    }

    /**
     * Refuses what is said of a variant that no experiment has.
     *
     * @param names of all variants; where there are none, variables may be meant for other experiments
     * @throws ConfigException with all that is
     */
    public static void requireKnown(
            Collection<String> names, Map<String, String> options, Map<String, String> environment) {
        Problems problems = new Problems();
        options.keySet().stream()
                .map(option -> option.substring(URL_OF.length()))
                .filter(name -> !names.contains(name))
                .forEach(name -> problems.add(new Origin.Option(URL_OF + name), "is for " + unknown(name, names)));
        Map<String, String> byVariable =
                names.stream().collect(Collectors.toMap(VariantConnections::suffix, name -> name, (one, other) -> one));
        for (String variable : names.isEmpty() ? List.<String>of() : variables(environment)) {
            String suffix = variable.substring(start(variable).length());
            if (!byVariable.containsKey(suffix)) {
                // A name that speaks of a password would hide what is said about it.
                problems.add(
                        new Origin.WholeFile("environment"),
                        variable + " is for "
                                + unknown(suffix.toLowerCase(Locale.ROOT).replace('_', '-'), names));
            }
        }
        problems.throwIfAny();
    }

    /** Whether the variable is written as one that speaks of a single variant. */
    static boolean isOfOne(String variable) {
        return !variable.equals(Credentials.PASSWORD_FILE) && OF_ONE.stream().anyMatch(variable::startsWith);
    }

    /** The url of a variant of its own, and where it comes from. */
    public Optional<Setting> url(String name) {
        return Optional.ofNullable(urls.get(name));
    }

    /**
     * All variables that a run of this variant has: its own user and password under their plain names, and none of any other.
     * Never print it.
     */
    public Map<String, String> environment(String name) {
        return Optional.ofNullable(environments.get(name)).orElseThrow();
    }

    /**
     * The variable of a variant.
     *
     * @param of that of all: {@code SIEMLOAD_URL}
     */
    public static String variable(String of, String name) {
        return of + "_" + suffix(name);
    }

    @Override
    public String toString() {
        return "VariantConnections" + new TreeSet<>(environments.keySet());
    }

    private static String suffix(String name) {
        return name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private static String start(String variable) {
        return OF_ONE.stream().filter(variable::startsWith).findFirst().orElseThrow();
    }

    private static List<String> variables(Map<String, String> environment) {
        return environment.keySet().stream()
                .filter(VariantConnections::isOfOne)
                .sorted()
                .toList();
    }

    private static String unknown(String name, Collection<String> names) {
        return names.isEmpty()
                ? "an experiment of variants by name, which this is not (docs/experiments.md tells of them)"
                : "'" + name + "', which is no variant here ("
                        + Choices.names(names).help(name) + ")";
    }

    private static Optional<Setting> url(String name, Map<String, String> options, Map<String, String> environment) {
        String option = URL_OF + name;
        String variable = variable(Property.URL.variable(), name);
        return Optional.ofNullable(options.get(option))
                .map(value -> new Setting(Property.URL.name(), value, new Origin.Option(option)))
                .or(() -> Optional.ofNullable(environment.get(variable))
                        .map(value -> new Setting(Property.URL.name(), value, new Origin.Environment(variable))));
    }

    private static void requireUrl(Setting url, Problems problems) {
        try {
            Property.URL.type().parse(url.value());
        } catch (IllegalArgumentException wrong) {
            problems.add(url.origin(), String.valueOf(wrong.getMessage()));
        }
    }

    /** Who a url belongs to decides which user and password go there: those that were given with it. */
    private static Map<String, String> environmentOf(
            String name,
            Optional<String> url,
            Optional<String> common,
            Map<String, String> environment,
            Problems problems) {
        Map<String, String> own = new LinkedHashMap<>(environment);
        variables(environment).forEach(own::remove);
        Set<String> given = new LinkedHashSet<>();
        for (String variable : Credentials.VARIABLES) {
            Optional.ofNullable(environment.get(variable(variable, name))).ifPresent(value -> given.add(variable));
        }
        if (given.isEmpty() && url.isEmpty()) {
            return own;
        }
        Optional<String> server = url.or(() -> common);
        if (server.isEmpty()) {
            problems.add(
                    new Origin.Option(URL_OF + name),
                    "is missing, although " + variable(given.iterator().next(), name)
                            + " says who to be there (give it, or set " + variable(Property.URL.variable(), name)
                            + ")");
        }
        Credentials.VARIABLES.forEach(own::remove);
        given.forEach(variable -> own.put(variable, environment.getOrDefault(variable(variable, name), "")));
        server.ifPresent(address -> own.put(Property.URL.variable(), address));
        Credentials.read(environment, variable -> variable(variable, name), problems);
        return own;
    }
}
