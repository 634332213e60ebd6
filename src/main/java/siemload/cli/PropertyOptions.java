package siemload.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.Stack;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.ValueType;
import siemload.config.VariantConnections;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;
import siemload.scenario.ScenarioReader;

/**
 * The options that every command shares: each property as {@code --name VALUE}, and as {@code -Dname=VALUE} for those
 * used to Maven. Stateless.
 */
final class PropertyOptions {
    static final String HELP_ALL = "--help-all";
    private static final String DEFINE = "-D";
    private static final String SET = "--set";
    private static final String OUTPUT = "--output";

    /** The same letter means the same for every command; {@code -o} is where a command writes to. */
    private static final Map<String, String> LETTERS = Map.of(
            Property.SCENARIO.name(), "-s",
            Property.TARGET.name(), "-t",
            Property.USERS.name(), "-u",
            Property.EPS.name(), "-e",
            Property.DURATION.name(), "-d",
            Property.RESULTS.name(), "-o",
            Property.VERBOSE.name(), "-v");

    /** Whose variants may have urls of their own. */
    private static final List<String> OF_VARIANTS = List.of("experiment", "gate");

    private static final List<String> COMMANDS =
            List.of("run", "validate", "generate", "load", "experiment", "gate", "capacity");
    /** The self-test and the measurement of a disk decide everything else themselves. */
    private static final List<Property<?>> OF_MEASUREMENT = List.of(Property.RESULTS, Property.CACHE, Property.VERBOSE);

    private static final List<Property<?>> OF_CONVERT = List.of(Property.FORMAT, Property.VERBOSE);

    private static final List<Property<?>> OF_REPORT = List.of(Property.DETAILS, Property.VERBOSE);

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
            Property.PARAMETERS,
            Property.TIMEOUT,
            Property.MAINTENANCE_TIMEOUT,
            Property.CACHE,
            Property.VERBOSE);

    private PropertyOptions() {}

    static void addTo(CommandLine line) {
        for (String name : COMMANDS) {
            CommandSpec command = command(line, name);
            Property.all().forEach(property -> add(property, command));
            command.addOption(OptionSpec.builder(DEFINE)
                    .paramLabel("name=VALUE")
                    .type(Map.class)
                    .auxiliaryTypes(String.class, String.class)
                    .description("any option of a run, written as for Maven: -Dusers=50")
                    .build());
            command.addOption(OptionSpec.builder(SET)
                    .paramLabel("PATH=VALUE")
                    .type(Map.class)
                    .auxiliaryTypes(String.class, String.class)
                    .description(
                            "a value in the place of the scenario's: procedure.passes=3, analysts.tier-1.patience=5s")
                    .build());
            command.addOption(OptionSpec.builder(HELP_ALL)
                    .usageHelp(true)
                    .description("Show all options, explained, and exit.")
                    .build());
        }
        OF_VARIANTS.forEach(name -> command(line, name)
                .addOption(OptionSpec.builder("--" + VariantConnections.URL_OF + "NAME")
                        .paramLabel("VALUE")
                        .type(String.class)
                        .description("url of the variant NAME of the experiment, where variants have names, or of the"
                                + " baseline or candidate of a gate; user and password by SIEMLOAD_USER_NAME,"
                                + " SIEMLOAD_PASSWORD_NAME or SIEMLOAD_PASSWORD_FILE_NAME")
                        .build()));
        OF_MEASUREMENT.forEach(property -> add(property, command(line, "selftest")));
        OF_MEASUREMENT.forEach(property -> add(property, command(line, "storage")));
        OF_LAYOUT.forEach(property -> add(property, command(line, "check-layout")));
        OF_CONVERT.forEach(property -> add(property, command(line, "convert")));
        OF_REPORT.forEach(property -> add(property, command(line, "report")));
        OF_LEARN.forEach(property -> add(property, command(line, "learn")));
    }

    /** Which property an option sets, if it is one that sets a property. */
    static Optional<Property<?>> property(OptionSpec option) {
        return Property.all().stream()
                .filter(property -> option.longestName().equals("--" + property.name()))
                .findFirst();
    }

    /** Takes those that are for single variants, too, whose names only the file of an experiment knows. */
    static void addVariants(CommandLine line, List<String> arguments) {
        OF_VARIANTS.forEach(name -> addVariants(command(line, name), arguments));
    }

    private static void addVariants(CommandSpec command, List<String> arguments) {
        arguments.stream()
                .filter(argument -> argument.matches("--url\\.[^=]+(?:=.*)?"))
                .map(argument -> argument.replaceFirst("=.*", ""))
                .distinct()
                .filter(name -> !command.optionsMap().containsKey(name))
                .forEach(name -> command.addOption(OptionSpec.builder(name)
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
            if (OF_VARIANTS.contains(command.commandSpec().name())) {
                defined(command, DEFINE)
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

    private static Stream<Map.Entry<String, String>> defined(ParseResult command, String option) {
        Map<?, ?> defined = command.matchedOptionValue(option, Map.of());
        return defined.entrySet().stream()
                .map(entry -> Map.entry(String.valueOf(entry.getKey()), String.valueOf(entry.getValue())));
    }

    private static CommandSpec command(CommandLine line, String name) {
        return Objects.requireNonNull(line.getSubcommands().get(name), name).getCommandSpec();
    }

    private static void add(Property<?> property, CommandSpec command) {
        String letter = LETTERS.get(property.name());
        boolean taken = property == Property.RESULTS && command.optionsMap().containsKey(OUTPUT);
        String name = "--" + property.name();
        OptionSpec.Builder option =
                letter == null || taken ? OptionSpec.builder(name) : OptionSpec.builder(letter, name);
        option.paramLabel(label(property.type()))
                .type(String.class)
                .completionCandidates(candidates(property))
                .description(description(property).replace("%", "%%"));
        if (property.type().isSwitch()) {
            option.arity("0..1").fallbackValue("true").preprocessor(PropertyOptions::keepNextWord);
        }
        command.addOption(option.build());
    }

    /** The word after a switch is not its value unless it is written with it, or is one of the two: {@code --live hawat}. */
    private static boolean keepNextWord(
            Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
        boolean attached = !" ".equals(info.get("separator"));
        if (!attached && (words.isEmpty() || !List.of("true", "false").contains(words.peek()))) {
            words.push("true");
        }
        return false;
    }

    private static String description(Property<?> property) {
        ValueType<?> type = property.type();
        boolean plain = type.isSwitch() || Set.of("text", "path").contains(type.allowed());
        return property.description()
                + (plain ? "" : "; " + type.allowed())
                + property.defaultText().map(text -> "; default " + text).orElse("");
    }

    private static String label(ValueType<?> type) {
        if (type.isSwitch()) {
            return "BOOL";
        }
        return switch (type.allowed().replaceFirst("[ ,].*", "")) {
            case "whole" -> "N";
            case "number", "ratio" -> "NUMBER";
            case "duration" -> "TIME";
            case "path" -> "PATH";
            case "URL" -> "URL";
            default -> "VALUE";
        };
    }

    /** What a shell may complete. */
    private static Iterable<String> candidates(Property<?> property) {
        return () -> {
            Path home = new ProcessHost().home();
            if (property == Property.SCENARIO) {
                return ScenarioReader.names(home).iterator();
            }
            if (property == Property.DATASET) {
                return NamedFile.names(home, "datasets").iterator();
            }
            if (property == Property.TARGET) {
                return TargetPlugins.all().stream().map(TargetPlugin::id).iterator();
            }
            return property.type().names().iterator();
        };
    }

    /** How the command line gives those properties that it gives in another way than as {@code --name}. */
    static Map<String, Origin> origins(ParseResult parsed) {
        Map<String, Origin> origins = new LinkedHashMap<>();
        for (ParseResult level = parsed; level != null; level = level.subcommand()) {
            ParseResult command = level;
            defined(command, DEFINE)
                    .map(Map.Entry::getKey)
                    .filter(name -> !command.hasMatchedOption("--" + name))
                    .forEach(name -> origins.put(name, new Origin.SystemProperty(name)));
        }
        return origins;
    }

    /** The properties that the command line sets, by name. */
    static Map<String, String> read(ParseResult parsed) {
        Map<String, String> options = new LinkedHashMap<>();
        for (ParseResult level = parsed; level != null; level = level.subcommand()) {
            ParseResult command = level;
            boolean ofVariants = OF_VARIANTS.contains(command.commandSpec().name());
            defined(command, DEFINE)
                    .filter(option -> !(ofVariants && isOfVariant(option)))
                    .forEach(option -> options.put(option.getKey(), option.getValue()));
            defined(command, SET).forEach(option -> options.put(option.getKey(), option.getValue()));
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
