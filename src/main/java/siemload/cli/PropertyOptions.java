package siemload.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import siemload.config.Property;

/**
 * The options that every command shares: each property as {@code --name VALUE}, and as {@code -Dname=VALUE} for those
 * used to Maven. Stateless.
 */
final class PropertyOptions {
    private static final String DEFINE = "-D";
    private static final List<String> COMMANDS = List.of("run", "validate", "generate", "load", "experiment", "gate");
    /** The self-test decides everything else itself. */
    private static final List<Property<?>> OF_SELFTEST = List.of(Property.RESULTS, Property.CACHE, Property.VERBOSE);

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
        OF_SELFTEST.forEach(property -> command(line, "selftest").addOption(option(property)));
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
            Map<?, ?> defined = command.matchedOptionValue(DEFINE, Map.of());
            defined.forEach((name, value) -> options.put(String.valueOf(name), String.valueOf(value)));
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
