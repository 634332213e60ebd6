package siemload.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import siemload.config.Property;

/** How {@code --help} looks: commands and options in groups, and first the ten options that matter most. Stateless. */
final class CommandHelp {
    private static final int WIDTH = 80;
    private static final int INDENT = 14;
    private static final String MOST_USED = "Most used";
    private static final String OTHERS = "Results";

    private static final Map<String, List<String>> COMMANDS = new LinkedHashMap<>();
    private static final Map<String, List<Property<?>>> OPTIONS = new LinkedHashMap<>();

    static {
        COMMANDS.put("Run and look", List.of("run", "validate", "list", "report"));
        COMMANDS.put("Compare", List.of("experiment", "gate", "capacity", "compare", "history"));
        COMMANDS.put("Data", List.of("load", "generate", "convert", "learn", "learn-queries"));
        COMMANDS.put("Tools", List.of("selftest", "storage", "check-layout", "completion", "help"));
        OPTIONS.put(
                MOST_USED,
                List.of(
                        Property.SCENARIO,
                        Property.TARGET,
                        Property.URL,
                        Property.USERS,
                        Property.EPS,
                        Property.DURATION,
                        Property.DATASET,
                        Property.INDEXES,
                        Property.HINT,
                        Property.RESULTS));
        OPTIONS.put(
                "Data",
                List.of(
                        Property.DATA,
                        Property.ALLOW_WRITES,
                        Property.AMPLIFY,
                        Property.FORMAT,
                        Property.RELOAD,
                        Property.SEED));
        OPTIONS.put(
                "Database",
                List.of(
                        Property.PROVISION,
                        Property.YES,
                        Property.ALLOW_BUSY_SERVER,
                        Property.ABORT_IF,
                        Property.READ_URLS,
                        Property.DATABASE,
                        Property.IMAGE,
                        Property.CONTAINER_MEMORY,
                        Property.CONTAINER_CPUS,
                        Property.PARAMETERS,
                        Property.SETTLE,
                        Property.CACHES,
                        Property.CACHE_COMMAND,
                        Property.MAINTENANCE_TIMEOUT));
        OPTIONS.put(
                "Variant",
                List.of(Property.LAYOUT, Property.PARTITIONS, Property.PAGING, Property.ALLOW_INEFFECTIVE_HINT));
        OPTIONS.put(
                "Load",
                List.of(
                        Property.WARMUP,
                        Property.THINK_TIME,
                        Property.ARRIVALS,
                        Property.TASKS,
                        Property.RATE,
                        Property.BATCH,
                        Property.SEARCHES,
                        Property.PAGE,
                        Property.OBJECTIVES,
                        Property.TIMEOUT,
                        Property.WORKERS,
                        Property.INJECTORS));
    }

    private CommandHelp() {}

    /**
     * Gives the help of a command, and of those below it, the look that all have.
     *
     * @param arguments of the process: whether they ask for all options
     */
    static void lookAlike(CommandLine command, List<String> arguments) {
        UsageMessageSpec help = command.getCommandSpec().usageMessage();
        help.sortOptions(false);
        help.abbreviateSynopsis(command.getParent() != null);
        if (!help.exitCodeList().isEmpty()) {
            help.exitCodeListHeading("%nExit codes:%n");
        }
        if (help.footer().length > 0) {
            help.footerHeading("%nExamples:%n");
        }
        if (command.getParent() == null) {
            // They are those of all commands below, too.
            Map<String, CommandLine.IHelpSectionRenderer> sections = new LinkedHashMap<>(command.getHelpSectionMap());
            boolean all = arguments.contains(PropertyOptions.HELP_ALL);
            sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, shown -> options(shown, all));
            sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandHelp::commands);
            sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, shown -> "");
            command.setHelpSectionMap(sections);
        } else {
            boolean words = !command.getCommandSpec().positionalParameters().isEmpty();
            help.parameterListHeading("%n");
            help.optionListHeading(words ? "" : "%n");
        }
        command.getSubcommands().values().forEach(below -> lookAlike(below, arguments));
    }

    private static String commands(Help help) {
        Map<String, Help> known = help.subcommands();
        if (help.commandSpec().parent() != null) {
            return help.commandList(known);
        }
        StringBuilder text = new StringBuilder();
        COMMANDS.forEach((heading, names) -> {
            text.append(String.format(Locale.ROOT, "%n%s:%n", heading));
            Map<String, Help> group = new LinkedHashMap<>();
            names.forEach(name -> group.put(name, Objects.requireNonNull(known.get(name), name)));
            text.append(help.commandList(group));
        });
        return text.toString();
    }

    private static String options(Help help, boolean all) {
        List<OptionSpec> own = new ArrayList<>();
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        OPTIONS.keySet().forEach(group -> groups.put(group, new ArrayList<>()));
        groups.put(OTHERS, new ArrayList<>());
        for (OptionSpec option : help.commandSpec().options()) {
            if (!option.hidden()) {
                PropertyOptions.property(option)
                        .map(property -> Objects.requireNonNull(groups.get(group(property))))
                        .orElse(own)
                        .add(option);
            }
        }
        boolean isOfRuns = help.commandSpec().findOption(PropertyOptions.HELP_ALL) != null;
        StringBuilder text = new StringBuilder(list(help, own));
        StringBuilder names = new StringBuilder();
        groups.forEach((heading, options) -> {
            List<Property<?>> inOrder = OPTIONS.getOrDefault(heading, List.of());
            options.sort(Comparator.comparingInt(
                    option -> inOrder.indexOf(PropertyOptions.property(option).orElseThrow())));
            if (options.isEmpty()) {
                return;
            }
            if (all || heading.equals(MOST_USED) || !isOfRuns) {
                text.append(String.format(Locale.ROOT, "%n%s:%n", heading)).append(list(help, options));
            } else {
                names.append(names(heading, options));
            }
        });
        if (!names.isEmpty()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%nMore options (%s %s explains them):%n",
                    help.commandSpec().qualifiedName(),
                    PropertyOptions.HELP_ALL));
        }
        return text.append(names).toString();
    }

    private static String group(Property<?> property) {
        return OPTIONS.entrySet().stream()
                .filter(group -> group.getValue().contains(property))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(OTHERS);
    }

    private static String list(Help help, List<OptionSpec> options) {
        Help.Layout layout = help.createDefaultLayout(
                help.commandSpec().options(), help.commandSpec().positionalParameters(), help.colorScheme());
        layout.addAllOptions(options, help.createDefaultParamLabelRenderer());
        return layout.toString();
    }

    /** The names alone. */
    private static String names(String heading, List<OptionSpec> options) {
        StringBuilder text = new StringBuilder();
        StringBuilder line = new StringBuilder(pad("  " + heading.toLowerCase(Locale.ROOT)));
        for (OptionSpec option : options) {
            if (line.length() + option.longestName().length() >= WIDTH) {
                text.append(line.toString().stripTrailing()).append(System.lineSeparator());
                line = new StringBuilder(pad(""));
            }
            line.append(option.longestName()).append(' ');
        }
        return text.append(line.toString().stripTrailing())
                .append(System.lineSeparator())
                .toString();
    }

    private static String pad(String text) {
        return text + " ".repeat(Math.max(1, INDENT - text.length()));
    }
}
