package siemload.compare;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Credentials;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.run.RunHost;

/**
 * Where the named variants of an experiment connect to, and as whom. Whoever starts it says so, and no file: the url by
 * {@code --url.NAME} or {@code SIEMLOAD_URL_NAME}, who to be by {@code SIEMLOAD_USER_NAME}, and {@code SIEMLOAD_PASSWORD_NAME} or
 * {@code SIEMLOAD_PASSWORD_FILE_NAME}. What one variant has is given to no other; user and password for all are meant for their urls
 * where these lead to one server. Immutable; its text shows no value.
 *
 * @param names of all variants, of which no two have the same variable
 * @param options by {@code url.NAME}
 * @param environment all variables
 * @param common the url of those that have none of their own
 */
public record VariantConnections(
        List<String> names, Map<String, String> options, Map<String, String> environment, Optional<String> common) {
    /** What begins an option of one variant. */
    public static final String URL_OF = Property.URL.name() + ".";

    private static final Pattern OF_ALL = Pattern.compile("-[D-]url(?![A-Za-z.])|SIEMLOAD_(USER|PASSWORD|URL)");

    /** Host and port. */
    private static final Pattern SERVER = Pattern.compile("^[^/]*//([^/?#]+)");

    /** Those of the named variants of an experiment, or of the sides of a gate; none for all others. */
    static VariantConnections of(Experiment experiment, RunHost host) {
        return new VariantConnections(
                GateRules.isGate(experiment) ? List.of(GateRules.BASELINE, GateRules.CANDIDATE) : experiment.names(),
                host.variantOptions(),
                host.launcher().environment(),
                Optional.ofNullable(experiment.settings().get(Property.URL.name())));
    }

    /** The url of a variant of its own, and where it comes from. */
    Optional<Setting> url(String name) {
        String option = URL_OF + name;
        String variable = variable(Property.URL.variable(), name);
        return Optional.ofNullable(options.get(option))
                .map(value -> new Setting(Property.URL.name(), value, new Origin.Option(option)))
                .or(() -> Optional.ofNullable(environment.get(variable))
                        .map(value -> new Setting(Property.URL.name(), value, new Origin.Environment(variable))));
    }

    /**
     * All variables that a run of this variant has: its own user and password under their plain names, and none of any other.
     * Never print it.
     *
     * @throws ConfigException if something is wrong with its url, user or password
     */
    Map<String, String> environment(String name) {
        Problems problems = new Problems();
        Optional<Setting> url = url(name);
        url.ifPresent(setting ->
                problems.collect(setting.origin(), () -> Property.URL.type().parse(setting.value())));
        Optional<String> server = url.map(Setting::value).or(() -> common);
        List<String> given = Credentials.VARIABLES.stream()
                .map(variable -> variable(variable, name))
                .filter(environment::containsKey)
                .toList();
        if (server.isEmpty()
                && !given.isEmpty()
                && names.stream().anyMatch(other -> url(other).isPresent())) {
            problems.add(
                    new Origin.Option(URL_OF + name),
                    "is missing, although " + given.get(0) + " says who to be there (give it, or set "
                            + variable(Property.URL.variable(), name) + ")");
        }
        Map<String, String> own = new LinkedHashMap<>(environment);
        own.keySet().removeIf(variable -> Credentials.startOfVariant(variable).isPresent());
        // Who a url belongs to decides which user and password go there: those that were given with it.
        if (server.isPresent() && (url.isPresent() || !given.isEmpty())) {
            UnaryOperator<String> named =
                    given.isEmpty() && isOneServer() ? UnaryOperator.identity() : variable -> variable(variable, name);
            for (String variable : Credentials.VARIABLES) {
                own.remove(variable);
                Optional.ofNullable(environment.get(named.apply(variable)))
                        .ifPresent(value -> own.put(variable, value));
            }
            own.put(Property.URL.variable(), server.orElseThrow());
            Credentials.read(environment, named, problems);
        }
        problems.throwIfAny();
        return own;
    }

    /** All variables that a run of this variant of the experiment has. @throws ConfigException as {@link #environment(String)} */
    Map<String, String> variables(Experiment experiment, String label) {
        return experiment.connectedAs(label).map(this::environment).orElse(environment);
    }

    /** Whether all have urls of one server: a user and a password for all can be meant for no other. */
    private boolean isOneServer() {
        List<String> servers = names.stream()
                .map(name -> SERVER.matcher(url(name).map(Setting::value).orElse("")))
                .map(server -> server.find() ? server.group(1) : "")
                .distinct()
                .toList();
        return common.isEmpty() && servers.size() == 1 && !servers.contains("");
    }

    /**
     * Refuses options for a variant that no experiment has. Variables for such a variant may be meant for others.
     *
     * @param names of all variants
     * @throws ConfigException with all such options
     */
    public static void requireKnown(Collection<String> names, Map<String, String> options) {
        Problems problems = new Problems();
        for (String option : options.keySet()) {
            String name = option.substring(URL_OF.length());
            if (!names.contains(name)) {
                String why = names.isEmpty()
                        ? "is for an experiment of variants by name, which this is not (docs/experiments.md tells of them)"
                        : "is for '" + name + "', which is not a variant here ("
                                + Choices.names(names).help(name) + ")";
                problems.add(new Origin.Option(option), why);
            }
        }
        problems.throwIfAny();
    }

    /** The variable of a variant, by that of all: {@code SIEMLOAD_URL}. */
    public static String variable(String of, String name) {
        return of + "_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** A message about the run of one variant, with its own option and variables where it names those for all. */
    static String spokenFor(String name, String message) {
        String own = "--" + URL_OF + name + ", " + variable("SIEMLOAD_USER", name) + ", "
                + variable("SIEMLOAD_PASSWORD_FILE", name);
        return OF_ALL.matcher(message).find() ? message + " (" + name + " may have its own: " + own + ")" : message;
    }

    @Override
    public String toString() {
        return "VariantConnections" + names;
    }
}
