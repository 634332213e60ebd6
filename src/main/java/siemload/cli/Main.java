package siemload.cli;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.Stack;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;
import siemload.compare.experiment.VariantConnections;
import siemload.config.ConfigException;
import siemload.config.NamedFile;
import siemload.config.NearestName;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.ValueType;
import siemload.database.TargetPlugin;
import siemload.run.Breakdown;
import siemload.run.ExitCode;
import siemload.run.RunGuard;
import siemload.scenario.ScenarioReader;

/** The command line of {@code ./siemload}. */
@Command(
        name = "siemload",
        description = "Load tests for the databases behind a SIEM.",
        subcommands = {
            RunCommand.class,
            InjectCommand.class,
            ListCommand.class,
            ValidateCommand.class,
            GenerateCommand.class,
            LearnCommand.class,
            LearnQueriesCommand.class,
            ConvertCommand.class,
            LoadCommand.class,
            ExperimentCommand.class,
            CompareCommand.class,
            HistoryCommand.class,
            GateCommand.class,
            CapacityCommand.class,
            SelftestCommand.class,
            StorageCommand.class,
            CheckLayoutCommand.class,
            ReportCommand.class,
            CompletionCommand.class,
            CommandLine.HelpCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeList = {
            "0:ok",
            "1:an objective was missed for certain, the run stopped itself, a regression was decided, or no load meets the objectives",
            "2:invalid input or usage",
            "3:the database could not be started, reached or loaded, or broke down",
            "4:nothing was answered, an injector failed, or experiment, gate or capacity say nothing; more with --failOn verdict",
            "70:a bug in siemload",
            "130:interrupted"
        },
        footer = {
            "  ./siemload hawat                      # the same as ./siemload run hawat",
            "  ./siemload run hawat -u 50 -d 30s",
            "  ./siemload experiment hints",
            "  ./siemload run --help"
        })
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals(InjectCommand.NAME)) {
            InjectCommand.keepOutput();
        }
        Breakdown.watch(new ProcessHost());
        ProcessHost.speakAsCommand();
        ProcessHost.endWithCommand(() -> run(arguments));
    }

    /**
     * All commands with their options.
     *
     * @param arguments of the process, which decide how much the help shows
     */
    static CommandLine commandLine(String... arguments) {
        CommandLine line = new CommandLine(new Main());
        PropertyOptions.addTo(line);
        CommandHelp.lookAlike(line, List.of(arguments));
        return line;
    }

    /**
     * The arguments with {@code run} before a scenario that stands in the place of a command.
     *
     * @throws ConfigException if the first word is neither a command nor a scenario
     */
    static String[] withCommand(CommandLine line, String... arguments) {
        String first = arguments[0];
        if (first.startsWith("-") || line.getSubcommands().containsKey(first)) {
            return arguments;
        }
        List<String> scenarios = ScenarioReader.names(new ProcessHost().home());
        if (!scenarios.contains(first) && !first.matches(".*[/\\\\].*|.*\\.ya?ml")) {
            List<String> known = Stream.concat(line.getSubcommands().keySet().stream(), scenarios.stream())
                    .toList();
            throw new ConfigException(
                    new Origin.WholeFile("command line"),
                    "'" + first + "' is neither a command nor a scenario (" + NearestName.suggestion(first, known)
                            + "siemload --help lists commands, siemload list scenarios)");
        }
        return Stream.concat(Stream.of("run"), Stream.of(arguments)).toArray(String[]::new);
    }

    static int run(String... arguments) {
        CommandLine line = commandLine(arguments);
        if (arguments.length == 0) {
            line.usage(line.getErr());
            return ExitCode.INVALID_INPUT.number();
        }
        try {
            SecretArguments.refused(arguments).ifPresent(refused -> {
                throw refused;
            });
            return execute(line, withCommand(line, arguments));
        } catch (ConfigException wrong) {
            return RunGuard.report(new ProcessHost(), wrong).number();
        }
    }

    private static int execute(CommandLine line, String... arguments) {
        PropertyOptions.addVariants(line, List.of(arguments));
        line.setExecutionStrategy(parsed -> {
            requireKnown(parsed);
            ProcessHost.useOptions(PropertyOptions.read(parsed), PropertyOptions.origins(parsed));
            ProcessHost.useVariantOptions(PropertyOptions.readVariants(parsed));
            return new CommandLine.RunLast().execute(parsed);
        });
        line.setExecutionExceptionHandler((failure, command, parsed) ->
                RunGuard.report(new ProcessHost(), failure).number());
        line.setParameterExceptionHandler((wrong, unparsed) -> {
            CommandLine command = wrong.getCommandLine();
            command.getErr().println(wrong.getMessage());
            CommandLine.UnmatchedArgumentException.printSuggestions(wrong, command.getErr());
            command.getErr().println(command.getCommandSpec().qualifiedName() + " --help lists what there is");
            return ExitCode.INVALID_INPUT.number();
        });
        return line.execute(arguments);
    }

    /** The command help takes any word without a complaint. */
    private static void requireKnown(ParseResult parsed) {
        for (ParseResult level = parsed; level != null; level = level.subcommand()) {
            if (level.commandSpec().helpCommand() && !level.unmatched().isEmpty()) {
                throw new CommandLine.UnmatchedArgumentException(
                        level.commandSpec().commandLine(), level.unmatched());
            }
        }
    }

    /**
     * The options that every command shares: each property as {@code --name VALUE}, and as {@code -Dname=VALUE} for those
     * used to Maven. Stateless.
     */
    static final class PropertyOptions {
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
                List.of("run", "validate", "generate", "load", "check-layout", "experiment", "gate", "capacity");
        /** The self-test and the measurement of a disk decide everything else themselves. */
        private static final List<Property<?>> OF_MEASUREMENT =
                List.of(Property.RESULTS, Property.CACHE, Property.VERBOSE);

        private static final List<Property<?>> OF_CONVERT = List.of(Property.FORMAT, Property.VERBOSE);

        private static final List<Property<?>> OF_REPORT = List.of(Property.DETAILS, Property.VERBOSE);

        private static final List<Property<?>> OF_LEARN = List.of(Property.FORMAT, Property.SEED, Property.VERBOSE);

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
                            .description(
                                    "url of the variant NAME of the experiment, where variants have names, or of the"
                                            + " baseline or candidate of a gate; user and password by SIEMLOAD_USER_NAME,"
                                            + " SIEMLOAD_PASSWORD_NAME or SIEMLOAD_PASSWORD_FILE_NAME")
                            .build()));
            OF_MEASUREMENT.forEach(property -> add(property, command(line, "selftest")));
            OF_MEASUREMENT.forEach(property -> add(property, command(line, "storage")));
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
                    return TargetPlugin.all().stream().map(TargetPlugin::id).iterator();
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

    /** How {@code --help} looks: commands in groups, and first the ten options that matter most. Stateless. */
    static final class CommandHelp {
        private static final int WIDTH = 80;
        private static final Map<String, List<String>> COMMANDS = new LinkedHashMap<>();
        private static final List<Property<?>> MOST_USED = List.of(
                Property.SCENARIO,
                Property.TARGET,
                Property.URL,
                Property.USERS,
                Property.EPS,
                Property.DURATION,
                Property.DATASET,
                Property.INDEXES,
                Property.HINT,
                Property.RESULTS);

        static {
            COMMANDS.put("Run and look", List.of("run", "validate", "list", "report"));
            COMMANDS.put("Compare", List.of("experiment", "gate", "capacity", "compare", "history"));
            COMMANDS.put("Data", List.of("load", "generate", "convert", "learn", "learn-queries"));
            COMMANDS.put("Tools", List.of("selftest", "storage", "check-layout", "completion", "help"));
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
                Map<String, CommandLine.IHelpSectionRenderer> sections =
                        new LinkedHashMap<>(command.getHelpSectionMap());
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

        /** Where a command has all options of a run, of most of them the names alone, unless all are asked for. */
        private static String options(Help help, boolean all) {
            List<OptionSpec> visible = help.commandSpec().options().stream()
                    .filter(option -> !option.hidden())
                    .toList();
            if (help.commandSpec().findOption(PropertyOptions.HELP_ALL) == null) {
                return list(help, visible);
            }
            Map<Integer, List<OptionSpec>> byPlace =
                    visible.stream().collect(Collectors.groupingBy(CommandHelp::place));
            List<OptionSpec> others = byPlace.getOrDefault(MOST_USED.size(), List.of());
            List<OptionSpec> most = IntStream.range(0, MOST_USED.size())
                    .mapToObj(place -> byPlace.getOrDefault(place, List.of()))
                    .flatMap(List::stream)
                    .toList();
            String heading = all
                    ? String.format(Locale.ROOT, "%nMore options:%n")
                    : String.format(
                            Locale.ROOT,
                            "%nMore options (%s %s explains them):%n",
                            help.commandSpec().qualifiedName(),
                            PropertyOptions.HELP_ALL);
            return list(help, byPlace.getOrDefault(-1, List.of()))
                    + String.format(Locale.ROOT, "%nMost used:%n")
                    + list(help, most)
                    + heading
                    + (all ? list(help, others) : names(others));
        }

        /** Among those that are used most, behind them, or -1 for one that sets no property. */
        private static int place(OptionSpec option) {
            return PropertyOptions.property(option)
                    .map(MOST_USED::indexOf)
                    .map(place -> place < 0 ? MOST_USED.size() : place)
                    .orElse(-1);
        }

        private static String list(Help help, List<OptionSpec> options) {
            Help.Layout layout = help.createDefaultLayout(
                    help.commandSpec().options(), help.commandSpec().positionalParameters(), help.colorScheme());
            layout.addAllOptions(options, help.createDefaultParamLabelRenderer());
            return layout.toString();
        }

        /** The names alone. */
        private static String names(List<OptionSpec> options) {
            StringBuilder text = new StringBuilder();
            StringBuilder line = new StringBuilder(" ");
            for (OptionSpec option : options) {
                if (line.length() + option.longestName().length() >= WIDTH) {
                    text.append(line).append(System.lineSeparator());
                    line = new StringBuilder(" ");
                }
                line.append(' ').append(option.longestName());
            }
            return text.append(line).append(System.lineSeparator()).toString();
        }
    }

    /** Passwords on the command line, which every user of the machine can read. Stateless. */
    private static final class SecretArguments {
        private static final Pattern PASSWORD =
                Pattern.compile("((?:--|-D)(?i:password)(?i:file)?(?:\\.([A-Za-z0-9-]+))?)(?:=.*)?", Pattern.DOTALL);

        private SecretArguments() {}

        /** What is said to an argument that gives a password, without the password. */
        static Optional<ConfigException> refused(String... arguments) {
            return Arrays.stream(arguments)
                    .map(PASSWORD::matcher)
                    .filter(Matcher::matches)
                    .findFirst()
                    .map(found -> {
                        String variant = found.group(2);
                        String ending = variant == null ? "" : VariantConnections.variable("", variant);
                        return new ConfigException(
                                new Origin.WholeFile("command line"),
                                "'" + found.group(1)
                                        + "' gives a password where every user of the machine can read it (set"
                                        + " SIEMLOAD_PASSWORD" + ending + " or SIEMLOAD_PASSWORD_FILE" + ending
                                        + ", and choose another password)");
                    });
        }
    }
}
