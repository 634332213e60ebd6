package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Credentials;
import siemload.config.DatabaseNotation;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;

/**
 * Where the named variants of an experiment connect to, and as whom. Whoever starts it says so, and no file: the url by
 * {@code --url.NAME} or {@code SIEMLOAD_URL_NAME}, who to be by {@code SIEMLOAD_USER_NAME}, and {@code SIEMLOAD_PASSWORD_NAME} or
 * {@code SIEMLOAD_PASSWORD_FILE_NAME}. What one variant has is given to no other; user and password for all are meant for their urls
 * where these lead to one server, and so are the variables of a database's own programs ({@code PGPASSWORD}). Immutable; its text
 * shows no value.
 */
public final class VariantConnections {
    /** What begins an option of one variant. */
    public static final String URL_OF = Property.URL.name() + ".";

    /** Host and port. */
    private static final Pattern SERVER = Pattern.compile("^[^/]*//([^/?#]+)");

    private static final Pattern OF_ALL =
            Pattern.compile("-[D-]url(?![A-Za-z.])|SIEMLOAD_(?:USER|PASSWORD_FILE|PASSWORD|URL)(?![A-Z_])");

    private final Map<String, Setting> urls;
    private final Map<String, Map<String, String>> environments;
    private final List<String> unused;
    private final Map<String, ConfigException> wrong;

    private VariantConnections(
            Map<String, Setting> urls,
            Map<String, Map<String, String>> environments,
            List<String> unused,
            Map<String, ConfigException> wrong) {
        this.urls = Map.copyOf(urls);
        this.environments = Map.copyOf(environments);
        this.unused = List.copyOf(unused);
        this.wrong = Map.copyOf(wrong);
    }

    /**
     * Those of the variants of an experiment.
     *
     * @param names of all its variants, of which no two have the same variable
     * @param options by {@code url.NAME}
     * @param environment all variables
     * @param common the url of those that have none of their own
     */
    public static VariantConnections of(
            Collection<String> names,
            Map<String, String> options,
            Map<String, String> environment,
            Optional<String> common) {
        Map<String, Setting> urls = new LinkedHashMap<>();
        names.forEach(name -> url(name, options, environment).ifPresent(setting -> urls.put(name, setting)));
        Map<String, Map<String, String>> environments = new LinkedHashMap<>();
        List<String> unused = new ArrayList<>();
        Map<String, ConfigException> wrong = new LinkedHashMap<>();
        for (String name : names) {
            Problems problems = new Problems();
            Optional<Setting> url = Optional.ofNullable(urls.get(name));
            url.ifPresent(setting ->
                    problems.collect(setting.origin(), () -> Property.URL.type().parse(setting.value())));
            Optional<String> server = url.map(Setting::value).or(() -> common);
            List<String> given = Credentials.VARIABLES.stream()
                    .filter(variable -> environment.containsKey(variable(variable, name)))
                    .toList();
            if (server.isEmpty() && !given.isEmpty()) {
                String variable = variable(given.get(0), name);
                if (urls.isEmpty()) {
                    unused.add(variable + " is not used: " + name + " has no url");
                } else {
                    problems.add(
                            new Origin.Option(URL_OF + name),
                            "is missing, although " + variable + " says who to be there (give it, or set "
                                    + variable(Property.URL.variable(), name) + ")");
                }
            }
            boolean own = url.isPresent() || (server.isPresent() && !given.isEmpty());
            boolean shares = given.isEmpty() && common.isEmpty() && isOneServer(names, urls);
            Map<String, String> all = environmentOf(
                    own ? server : Optional.empty(),
                    shares ? Credentials.VARIABLES : given,
                    shares ? UnaryOperator.identity() : variable -> variable(variable, name),
                    environment,
                    problems);
            if (own
                    && !shares
                    && (!given.isEmpty() || SERVER.matcher(server.orElse("")).find())) {
                List<String> ofOthers =
                        ofPrograms().filter(all.keySet()::contains).toList();
                if (given.isEmpty() && !ofOthers.isEmpty()) {
                    unused.add(String.join(", ", ofOthers) + (ofOthers.size() == 1 ? " is" : " are") + " not used for "
                            + name + ", which has a server of its own (set "
                            + variable(Credentials.USER, name) + " and " + variable(Credentials.PASSWORD_FILE, name)
                            + ")");
                }
                all.keySet().removeAll(ofOthers);
            }
            environments.put(name, all);
            if (!problems.isEmpty()) {
                wrong.put(name, problems.exception());
            }
        }
        return new VariantConnections(urls, environments, unused, wrong);
    }

    private static Stream<String> ofPrograms() {
        return DatabaseNotation.all().stream().flatMap(notation -> notation.variablesOfUsers().stream());
    }

    /**
     * Refuses options for a variant that no experiment has. Variables for such a variant may be meant for others.
     *
     * @param names of all variants
     * @return which variables are not used, in words
     * @throws ConfigException with all such options
     */
    public static List<String> requireKnown(
            Collection<String> names, Map<String, String> options, Map<String, String> environment) {
        Problems problems = new Problems();
        options.keySet().stream()
                .map(option -> option.substring(URL_OF.length()))
                .filter(name -> !names.contains(name))
                .forEach(name -> problems.add(new Origin.Option(URL_OF + name), "is for " + unknown(name, names)));
        problems.throwIfAny();
        Set<String> known = names.stream().map(VariantConnections::suffix).collect(Collectors.toSet());
        return names.isEmpty()
                ? List.of()
                : variables(environment).stream()
                        .filter(variable -> !known.contains(variable.substring(Credentials.startOfVariant(variable)
                                .orElseThrow()
                                .length())))
                        .map(variable -> variable + " is not used: no variant has this name (variants: "
                                + String.join(", ", names) + ")")
                        .toList();
    }

    /** Which variables of variants are not used, in words. */
    public List<String> unused() {
        return unused;
    }

    /** What is wrong with its url, user or password; empty for one that can be used. */
    public Optional<ConfigException> wrong(String name) {
        return Optional.ofNullable(wrong.get(name));
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

    private static List<String> variables(Map<String, String> environment) {
        return environment.keySet().stream()
                .filter(variable -> Credentials.startOfVariant(variable).isPresent())
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

    /** Whether all variants have urls that lead to one server: a user and a password for all can be meant for no other. */
    private static boolean isOneServer(Collection<String> names, Map<String, Setting> urls) {
        Set<String> servers = urls.values().stream()
                .map(url -> SERVER.matcher(url.value()))
                .map(server -> server.find() ? server.group(1) : "")
                .collect(Collectors.toSet());
        return urls.keySet().containsAll(names) && servers.size() == 1 && !servers.contains("");
    }

    /**
     * Who a url belongs to decides which user and password go there: those that were given with it.
     *
     * @param given those of {@link Credentials#VARIABLES} that it has
     * @param named what they are called for it
     */
    private static Map<String, String> environmentOf(
            Optional<String> server,
            List<String> given,
            UnaryOperator<String> named,
            Map<String, String> environment,
            Problems problems) {
        Map<String, String> own = new LinkedHashMap<>(environment);
        variables(environment).forEach(own::remove);
        server.ifPresent(address -> {
            Credentials.VARIABLES.forEach(own::remove);
            given.forEach(variable -> Optional.ofNullable(environment.get(named.apply(variable)))
                    .ifPresent(value -> own.put(variable, value)));
            own.put(Property.URL.variable(), address);
            Credentials.read(environment, named, problems);
        });
        return own;
    }

    /**
     * A message about the run of one variant with its own options and variables in place of those for all.
     *
     * @param name of a variant
     */
    public String spokenFor(String name, String message) {
        String url = url(name)
                .map(Setting::origin)
                .filter(Origin.Environment.class::isInstance)
                .map(Origin::toString)
                .orElse("--" + URL_OF + name);
        return OF_ALL.matcher(message)
                .replaceAll(found ->
                        Matcher.quoteReplacement(found.group().startsWith("-") ? url : variable(found.group(), name)));
    }
}
