package siemload.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import siemload.config.Property;
import siemload.config.VariantConnections;

/**
 * The options that every command shares: each property as {@code --name VALUE}, and as {@code -Dname=VALUE} for those
 * used to Maven. Stateless.
 */
final class PropertyOptions {
    private static final String DEFINE = "-D";
    private static final String EXPERIMENT = "experiment";
    private static final List<String> COMMANDS =
            List.of("run", "validate", "generate", "load", "experiment", "gate", "capacity");
    /** The self-test and the measurement of a disk decide everything else themselves. */
    private static final List<Property<?>> OF_MEASUREMENT = List.of(Property.RESULTS, Property.CACHE, Property.VERBOSE);

    private static final List<Property<?>> OF_CONVERT = List.of(Property.FORMAT, Property.UNREADABLE, Property.VERBOSE);

    private static final List<Property<?>> OF_LEARN = List.of(Property.FORMAT, Property.SEED, Property.VERBOSE);

    /** Where the server is, and which events; the layout says itself with what it is tried. */
    private static final List<Property<?>> OF_LAYOUT = List.of(
            Property.TARGET,
            Property.PARTITIONS,
            Property.DATASET,
            Property.AMPLIFY,
            Property.FORMAT,
            Property.SEED,
            Property.PROVISION,
            Property.URL,
            Property.ALLOW_BUSY_SERVER,
            Property.YES,
            Property.IMAGE,
            Property.CONTAINER_MEMORY,
            Property.CONTAINER_CPUS,
            Property.PORT,
            Property.PARAMETERS,
            Property.TIMEOUT,
            Property.MAINTENANCE_TIMEOUT,
            Property.CACHE,
            Property.VERBOSE);

    private PropertyOptions() {}

    static void addTo(CommandLine line) {
        for (String name : COMMANDS) {
            CommandSpec command = command(line, name);
            for (Property<?> property : Property.all()) {
                command.addOption(option(property));
            }
            command.addOption(OptionSpec.builder(DEFINE)
                    .paramLabel("name=VALUE")
                    .type(Map.class)
                    .auxiliaryTypes(String.class, String.class)
                    .description("the same, as Maven takes it")
                    .build());
        }
        command(line, EXPERIMENT)
                .addOption(OptionSpec.builder("--" + VariantConnections.URL_OF + "NAME")
                        .paramLabel("VALUE")
                        .type(String.class)
                        .description("url of the variant NAME of the experiment, where variants have names; user and"
                                + " password by SIEMLOAD_USER_NAME, SIEMLOAD_PASSWORD_NAME or"
                                + " SIEMLOAD_PASSWORD_FILE_NAME")
                        .build());
        OF_MEASUREMENT.forEach(property -> command(line, "selftest").addOption(option(property)));
        OF_MEASUREMENT.forEach(property -> command(line, "storage").addOption(option(property)));
        OF_LAYOUT.forEach(property -> command(line, "check-layout").addOption(option(property)));
        OF_CONVERT.forEach(property -> command(line, "convert").addOption(option(property)));
        OF_LEARN.forEach(property -> command(line, "learn").addOption(option(property)));
    }

    /** Takes those that are for single variants, too, whose names only the file of an experiment knows. */
    static void addVariants(CommandLine line, List<String> arguments) {
        CommandSpec experiment = command(line, EXPERIMENT);
        arguments.stream()
                .filter(argument -> argument.matches("--url\\.[^=]+(?:=.*)?"))
                .map(argument -> argument.replaceFirst("=.*", ""))
                .distinct()
                .filter(name -> !experiment.optionsMap().containsKey(name))
                .forEach(name -> experiment.addOption(OptionSpec.builder(name)
                        .paramLabel("VALUE")
                        .type(String.class)
                        .hidden(true)
                        .build()));
    }

    /** What the command line says of single variants, by {@code url.NAME}. */
    static Map<String, String> readVariants(ParseResult parsed) {
        Map<String, String> options = new LinkedHashMap<>();
        for (ParseResult level = parsed; level != null; level = level.subcommand()) {
            ParseResult command = level;
            if (command.commandSpec().name().equals(EXPERIMENT)) {
                defined(command)
                        .filter(PropertyOptions::isOfVariant)
                        .forEach(entry -> options.put(entry.getKey(), entry.getValue()));
                command.matchedOptions().stream()
                        .filter(option ->
                                isOfVariant(Map.entry(option.longestName().substring(2), "")))
                        .forEach(option -> options.put(option.longestName().substring(2), option.getValue()));
            }
        }
        return options;
    }

    private static boolean isOfVariant(Map.Entry<String, String> option) {
        return option.getKey().startsWith(VariantConnections.URL_OF);
    }

    private static Stream<Map.Entry<String, String>> defined(ParseResult command) {
        Map<?, ?> defined = command.matchedOptionValue(DEFINE, Map.of());
        return defined.entrySet().stream()
                .map(entry -> Map.entry(String.valueOf(entry.getKey()), String.valueOf(entry.getValue())));
    }

    private static CommandSpec command(CommandLine line, String name) {
        return Objects.requireNonNull(line.getSubcommands().get(name), name).getCommandSpec();
    }

    private static OptionSpec option(Property<?> property) {
        String description = property.description() + "; " + property.type().allowed()
                + property.defaultText().map(text -> "; default " + text).orElse("");
        OptionSpec.Builder option = OptionSpec.builder("--" + property.name())
                .paramLabel("VALUE")
                .type(String.class)
                .description(description.replace("%", "%%"));
        return property.type().isSwitch()
                ? option.arity("0..1").fallbackValue("true").build()
                : option.build();
    }

    /** The properties that the command line sets, by name. */
    static Map<String, String> read(ParseResult parsed) {
        Map<String, String> options = new LinkedHashMap<>();
        for (ParseResult level = parsed; level != null; level = level.subcommand()) {
            ParseResult command = level;
            boolean ofVariants = command.commandSpec().name().equals(EXPERIMENT);
            defined(command)
                    .filter(option -> !(ofVariants && isOfVariant(option)))
                    .forEach(option -> options.put(option.getKey(), option.getValue()));
            for (Property<?> property : Property.all()) {
                String value = command.matchedOptionValue("--" + property.name(), "");
                if (command.hasMatchedOption("--" + property.name())) {
                    options.put(property.name(), value);
                }
            }
        }
        return options;
    }
}
