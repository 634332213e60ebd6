package siemload.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import siemload.compare.experiment.VariantConnections;
import siemload.config.ConfigException;
import siemload.config.NamedFile;
import siemload.config.NearestName;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.database.TargetPlugin;
import siemload.dataset.Datasets;
import siemload.dataset.EventSource;
import siemload.event.IdeaLineWriter;
import siemload.measure.environment.MachineFacts;
import siemload.results.report.RunReports;
import siemload.run.Breakdown;
import siemload.run.DatasetLoading;
import siemload.run.ExitCode;
import siemload.run.RunGuard;
import siemload.run.RunHost.ProgressBar;
import siemload.scenario.ScenarioReader;

/** The command line of {@code ./siemload}. */
@Command(
        name = "siemload",
        description = "Load tests for the databases behind a SIEM.",
        subcommands = {
            RunCommands.RunCommand.class,
            RunCommands.InjectCommand.class,
            RunCommands.ListCommand.class,
            RunCommands.ValidateCommand.class,
            DataCommands.LearnCommand.class,
            DataCommands.LearnQueriesCommand.class,
            DataCommands.ConvertCommand.class,
            CompareCommands.ExperimentCommand.class,
            CompareCommands.CompareCommand.class,
            CompareCommands.HistoryCommand.class,
            CompareCommands.GateCommand.class,
            CompareCommands.CapacityCommand.class,
            ToolCommands.SelftestCommand.class,
            ToolCommands.StorageCommand.class,
            ToolCommands.CheckLayoutCommand.class,
            CommandLine.HelpCommand.class
        },
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:ok",
            "1:an objective was missed for certain, the run stopped itself, a regression was decided, no load meets the objectives,"
                    + " or a check of selftest or check-layout failed",
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
    private static final int EVENTS_OF_BATCH = 1_000;

    /** The commands as {@code --help} shows them, each group behind its heading. */
    private static final List<List<String>> GROUPS = List.of(
            List.of("Run and look", "run", "validate", "list", "report"),
            List.of("Compare", "experiment", "gate", "capacity", "compare", "history"),
            List.of("Data", "load", "generate", "learn", "learn-queries", "convert"),
            List.of("Tools", "selftest", "storage", "check-layout", "completion", "help"));

    private Main() {}

    /** A command with options of its own, which are those of an object of its class. */
    abstract static class SiemloadCommand implements Callable<Integer> {
        final ProcessHost host = new ProcessHost();

        /** Does what it is called for. */
        abstract ExitCode run() throws IOException, InterruptedException;

        @Override
        public final Integer call() throws IOException, InterruptedException {
            return run().number();
        }

        static ConfigException refused(String option, String why) {
            return new ConfigException(new Origin.Option(option), why);
        }
    }

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals(RunCommands.InjectCommand.NAME)) {
            RunCommands.InjectCommand.keepOutput();
        }
        Breakdown.watch(new ProcessHost());
        ProcessHost.speakAsCommand();
        ProcessHost.endWithCommand(() -> run(arguments));
    }

    @Command(
            name = "load",
            description = "Loads a data set and keeps it for later runs.",
            mixinStandardHelpOptions = true,
            footer = {
                "  ./siemload load",
                "  ./siemload load --dataset cesnet-day",
                "  ./siemload load --dataset events.idea.gz --amplify 100"
            })
    void load() {
        DatasetLoading.keep(new ProcessHost());
    }

    @Command(
            name = "generate",
            description = "Writes a data set's events as IDEA JSON Lines.",
            mixinStandardHelpOptions = true,
            footer = {
                "  ./siemload generate --output events.idea.gz",
                "  ./siemload generate --dataset firewall.log --output firewall.idea.gz",
                "  ./siemload generate --dataset events.idea.gz --amplify 100 --output more.idea.gz"
            })
    void generate(
            @Option(
                            names = {"-o", "--output"},
                            required = true,
                            paramLabel = "FILE",
                            description = "where to write; compressed if the name ends with .gz")
                    Path output) {
        ProcessHost host = new ProcessHost();
        Settings settings = host.settings();
        EventSource source = Datasets.open(host.home(), Datasets.chosen(settings), settings, host::status);
        source.warnings().forEach(host::line);
        // What is unfinished when the process ends is removed.
        try (IdeaLineWriter writer = IdeaLineWriter.open(output, host::onShutdown);
                ProgressBar bar = new ProgressBar(host, "writing " + source.name(), source.count())) {
            source.read(EVENTS_OF_BATCH, events -> {
                writer.write(events);
                bar.advance(events.size());
            });
            writer.finish();
        }
        host.line(String.format(Locale.ROOT, "%s: %,d events of %s", output, source.count(), source.name()));
    }

    @Command(
            name = "report",
            description = "Makes the reports of a run again from its files.",
            mixinStandardHelpOptions = true,
            footer = {
                "  ./siemload report target/siemload",
                "  ./siemload report target/siemload/hawat-postgresql-20261121-101500"
            })
    void report(
            @Parameters(
                            paramLabel = "DIR",
                            description = "the directory of a run, or a results directory, whose newest run is meant")
                    Path directory) {
        ProcessHost host = new ProcessHost();
        host.protectResults();
        try {
            host.results(RunReports.write(directory));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(String.valueOf(unreadable.getMessage()), unreadable);
        }
    }

    /** What {@code --version} says. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            Map<String, String> facts = MachineFacts.program(new ProcessHost().home());
            String commit = facts.getOrDefault("revision", "").replaceFirst("^(.{1,12}).*$", ", commit $1");
            return new String[] {
                "siemload " + text() + commit + ("yes".equals(facts.get("changed")) ? " with changes" : "")
            };
        }

        /** The version of this program. */
        static String text() {
            return Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "from a checkout");
        }
    }

    /**
     * All commands with their options.
     *
     * @param arguments of the process, which decide how much the help shows
     */
    static CommandLine commandLine(String... arguments) {
        CommandLine line = new CommandLine(new Main());
        line.addSubcommand(new CommandLine(new AutoComplete.GenerateCompletion()).setCommandName("completion"));
        List<String> words = List.of(arguments);
        PropertyOptions.addTo(line, words.contains("--help") || words.contains("-h") || words.contains("help"));
        // They are those of all commands below, too.
        Map<String, CommandLine.IHelpSectionRenderer> sections = new LinkedHashMap<>(line.getHelpSectionMap());
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, Main::commands);
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        line.setHelpSectionMap(sections);
        look(line);
        return line;
    }

    /** Gives the help of a command, and of all below it, the look that they have in common: headings for what there is. */
    private static void look(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        // Commands that are methods have them already: picocli counts their parameters behind these.
        if (!spec.helpCommand()) {
            spec.mixinStandardHelpOptions(true);
        }
        UsageMessageSpec help = spec.usageMessage();
        help.sortOptions(false);
        help.abbreviateSynopsis(command.getParent() != null);
        help.footerHeading(help.footer().length == 0 ? "" : "%nExamples:%n");
        if (command.getParent() != null) {
            help.parameterListHeading("%n");
            help.optionListHeading(spec.positionalParameters().isEmpty() ? "%n" : "");
        }
        command.getSubcommands().values().forEach(Main::look);
    }

    /** The commands in groups. */
    private static String commands(Help help) {
        Map<String, Help> known = help.subcommands();
        if (help.commandSpec().parent() != null) {
            return help.commandList(known);
        }
        StringBuilder text = new StringBuilder();
        for (List<String> names : GROUPS) {
            Map<String, Help> group = new LinkedHashMap<>();
            names.stream().skip(1).forEach(name -> group.put(name, Objects.requireNonNull(known.get(name), name)));
            text.append(String.format(Locale.ROOT, "%n%s:%n", names.get(0))).append(help.commandList(group));
        }
        return text.toString();
    }

    /**
     * The arguments as picocli takes them: with {@code run} before a scenario that stands in the place of a command, and with what is said of
     * single variants, whose names only the file of an experiment knows, as {@code -Durl.NAME=VALUE}.
     *
     * @throws ConfigException if the first word is neither a command nor a scenario
     */
    static String[] withCommand(CommandLine line, String... arguments) {
        String first = arguments[0];
        if (PropertyOptions.OF_VARIANTS.contains(first)) {
            List<String> words = new ArrayList<>();
            for (int i = 0; i < arguments.length; i++) {
                String word = arguments[i];
                boolean ofVariant = word.startsWith("--" + VariantConnections.URL_OF);
                String value = ofVariant && !word.contains("=") && i + 1 < arguments.length ? "=" + arguments[++i] : "";
                words.add(ofVariant ? "-D" + word.substring(2) + value : word);
            }
            return words.toArray(String[]::new);
        }
        if (first.startsWith("-") || line.getSubcommands().containsKey(first)) {
            return arguments;
        }
        List<String> scenarios = ScenarioReader.names(new ProcessHost().home());
        if (!scenarios.contains(first) && !first.matches(".*[/\\\\].*|.*\\.ya?ml")) {
            List<String> known = Stream.concat(line.getSubcommands().keySet().stream(), scenarios.stream())
                    .toList();
            throw refused("'" + first + "' is neither a command nor a scenario (" + NearestName.suggestion(first, known)
                    + "siemload --help lists commands, siemload list scenarios)");
        }
        return Stream.concat(Stream.of("run"), Stream.of(arguments)).toArray(String[]::new);
    }

    private static ConfigException refused(String why) {
        return new ConfigException(new Origin.WholeFile("command line"), why);
    }

    static int run(String... arguments) {
        CommandLine line = commandLine(arguments);
        if (arguments.length == 0) {
            line.usage(line.getErr());
            return ExitCode.INVALID_INPUT.number();
        }
        line.setExecutionStrategy(parsed -> {
            requireKnown(parsed);
            ProcessHost.use(PropertyOptions.Given.of(parsed));
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
        try {
            refusePasswords(arguments);
            return line.execute(withCommand(line, arguments));
        } catch (ConfigException wrong) {
            return RunGuard.report(new ProcessHost(), wrong).number();
        }
    }

    /** Every user of the machine can read the command line. The password itself is not repeated. */
    private static void refusePasswords(String... arguments) {
        Pattern password =
                Pattern.compile("((?:--|-D)(?i:password)(?i:file)?(?:\\.([A-Za-z0-9-]+))?)(?:=.*)?", Pattern.DOTALL);
        Arrays.stream(arguments)
                .map(password::matcher)
                .filter(Matcher::matches)
                .findFirst()
                .ifPresent(found -> {
                    String ending = found.group(2) == null ? "" : VariantConnections.variable("", found.group(2));
                    throw refused("'" + found.group(1)
                            + "' gives a password where every user of the machine can read it (set SIEMLOAD_PASSWORD"
                            + ending
                            + " or SIEMLOAD_PASSWORD_FILE" + ending + ", and choose another password)");
                });
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

        /** Commands that decide everything else themselves. */
        private static final Map<String, List<Property<?>>> OF_OTHERS = Map.of(
                "selftest", List.of(Property.RESULTS, Property.CACHE, Property.VERBOSE),
                "storage", List.of(Property.RESULTS, Property.CACHE, Property.VERBOSE),
                "report", List.of(Property.DETAILS, Property.VERBOSE),
                "convert", List.of(Property.FORMAT, Property.VERBOSE),
                "learn", List.of(Property.FORMAT, Property.SEED, Property.VERBOSE));

        private PropertyOptions() {}

        /** @param brief whether of the options of a run those alone are shown that are used most */
        static void addTo(CommandLine line, boolean brief) {
            for (String name : COMMANDS) {
                CommandSpec command = command(line, name);
                MOST_USED.forEach(property -> add(property, command, false));
                Property.all().stream()
                        .filter(property -> !MOST_USED.contains(property))
                        .forEach(property -> add(property, command, brief));
                command.addOption(values(DEFINE, "name=VALUE")
                        .description("any option of a run, written as for Maven: -Dusers=50")
                        .build());
                command.addOption(values(SET, "PATH=VALUE")
                        .description(
                                "a value in the place of the scenario's: procedure.passes=3, analysts.tier-1.patience=5s")
                        .build());
                command.addOption(OptionSpec.builder(HELP_ALL)
                        .usageHelp(true)
                        .description("Show all " + Property.all().size() + " options of a run, and exit.")
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
            OF_OTHERS.forEach(
                    (name, properties) -> properties.forEach(property -> add(property, command(line, name), false)));
        }

        private static OptionSpec.Builder values(String name, String label) {
            return OptionSpec.builder(name)
                    .paramLabel(label)
                    .type(Map.class)
                    .auxiliaryTypes(String.class, String.class);
        }

        /** Which property an option sets, if it is one that sets a property. */
        static Optional<Property<?>> property(OptionSpec option) {
            return Property.all().stream()
                    .filter(property -> option.longestName().equals("--" + property.name()))
                    .findFirst();
        }

        private static CommandSpec command(CommandLine line, String name) {
            return Objects.requireNonNull(line.getSubcommands().get(name), name).getCommandSpec();
        }

        private static void add(Property<?> property, CommandSpec command, boolean hidden) {
            ValueType<?> type = property.type();
            String letter = LETTERS.get(property.name());
            boolean taken = property == Property.RESULTS && command.optionsMap().containsKey(OUTPUT);
            boolean plain = type.isSwitch() || Set.of("text", "path").contains(type.allowed());
            String name = "--" + property.name();
            OptionSpec.Builder option =
                    letter == null || taken ? OptionSpec.builder(name) : OptionSpec.builder(letter, name);
            // By these the script of completion tells values apart.
            option.paramLabel(property.name().toUpperCase(Locale.ROOT))
                    .type(String.class)
                    .hidden(hidden)
                    .completionCandidates(() -> candidates(property).iterator())
                    .description((property.description()
                                    + (plain ? "" : "; " + type.allowed())
                                    + property.defaultText()
                                            .map(text -> "; default " + text)
                                            .orElse(""))
                            .replace("%", "%%"));
            if (type.isSwitch()) {
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

        /** What a shell may complete. */
        private static List<String> candidates(Property<?> property) {
            Path home = new ProcessHost().home();
            return switch (property.name()) {
                case "scenario" -> ScenarioReader.names(home);
                case "dataset" -> NamedFile.names(home, "datasets");
                case "target" ->
                    TargetPlugin.all().stream().map(TargetPlugin::id).toList();
                default -> property.type().names();
            };
        }

        /**
         * What a command line says.
         *
         * @param options values of properties by their names, and of the scenario by their paths
         * @param origins of those that are not given as {@code --name}
         * @param variants what is said of single variants of an experiment, by {@code url.NAME}
         */
        record Given(Map<String, String> options, Map<String, Origin> origins, Map<String, String> variants) {
            static final Given NOTHING = new Given(Map.of(), Map.of(), Map.of());

            Given {
                options = Map.copyOf(options);
                origins = Map.copyOf(origins);
                variants = Map.copyOf(variants);
            }

            static Given of(ParseResult parsed) {
                Map<String, String> options = new LinkedHashMap<>();
                Map<String, Origin> origins = new LinkedHashMap<>();
                Map<String, String> variants = new LinkedHashMap<>();
                for (ParseResult level = parsed; level != null; level = level.subcommand()) {
                    ParseResult command = level;
                    boolean hasVariants =
                            OF_VARIANTS.contains(command.commandSpec().name());
                    Map<String, String> defined = command.matchedOptionValue(DEFINE, Map.of());
                    defined.forEach((name, value) -> {
                        (hasVariants && name.startsWith(VariantConnections.URL_OF) ? variants : options)
                                .put(name, value);
                        if (!command.hasMatchedOption("--" + name)) {
                            origins.put(name, new Origin.SystemProperty(name));
                        }
                    });
                    options.putAll(command.matchedOptionValue(SET, Map.of()));
                    command.matchedOptions()
                            .forEach(option -> property(option)
                                    .ifPresent(property -> options.put(property.name(), option.getValue())));
                }
                return new Given(options, origins, variants);
            }

            /** With one option more. */
            Given with(String name, String value, Origin origin) {
                Map<String, String> more = new LinkedHashMap<>(options);
                more.put(name, value);
                Map<String, Origin> moreOrigins = new LinkedHashMap<>(origins);
                moreOrigins.put(name, origin);
                return new Given(more, moreOrigins, variants);
            }
        }
    }
}
