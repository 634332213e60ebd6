package siemload.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import siemload.compare.ExperimentPlan.VariantConnections;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.config.directory.DirectoryTree;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Abilities;
import siemload.dataset.Datasets;
import siemload.dataset.EventSource;
import siemload.event.IdeaLineWriter;
import siemload.load.InjectedLoad;
import siemload.load.InjectedLoad.InjectorProcess;
import siemload.load.SiemSimulation;
import siemload.measure.EnvironmentRecord.MachineFacts;
import siemload.query.Paging;
import siemload.query.SearchCatalog;
import siemload.results.report.RunReports;
import siemload.results.report.Table;
import siemload.run.Bench;
import siemload.run.Breakdown;
import siemload.run.ExitCode;
import siemload.run.RunGuard;
import siemload.run.RunHost.ProgressBar;
import siemload.run.RunPlan;
import siemload.run.RunProcesses;
import siemload.scenario.ScenarioReader;

/** The command line of {@code ./siemload}. */
@Command(
        name = "siemload",
        resourceBundle = "siemload.cli.help",
        subcommands = {
            Main.RunCommand.class,
            Main.ListCommand.class,
            Commands.ExperimentCommand.class,
            Commands.GateCommand.class,
            Commands.CapacityCommand.class,
            Commands.CompareCommand.class,
            Commands.HistoryCommand.class,
            Commands.LearnCommand.class,
            Commands.LearnQueriesCommand.class,
            Commands.ConvertCommand.class,
            Commands.SelftestCommand.class,
            Commands.StorageCommand.class,
            Commands.CheckLayoutCommand.class,
            CommandLine.HelpCommand.class
        },
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND")
public final class Main {
    private static final String INJECT = "inject";
    private static final int EVENTS_OF_BATCH = 1_000;

    private static final Pattern PASSWORD =
            Pattern.compile("((?:--|-D)(?i:password)(?i:file)?(?:\\.([A-Za-z0-9-]+))?)(?:=.*)?", Pattern.DOTALL);

    private Main() {}

    /** A command that has its own class, with a field for each option. */
    abstract static class SiemloadCommand implements Callable<Integer> {
        final ProcessHost host = new ProcessHost();

        /** Executes the command. */
        abstract ExitCode run() throws IOException, InterruptedException;

        @Override
        public final Integer call() throws IOException, InterruptedException {
            return run().number();
        }

        static ConfigException refused(String option, String why) {
            return new ConfigException(new Origin.Option(option), why);
        }

        /** Returns the value of an option, parsed as this type. */
        static <T> T parsed(String option, ValueType<T> type, Object written) {
            try {
                return type.parse(written.toString());
            } catch (IllegalArgumentException wrong) {
                throw refused(option, String.valueOf(wrong.getMessage()));
            }
        }
    }

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals(INJECT)) {
            // Standard output is the connection to the coordinator, so anything else that this process prints goes to
            // standard error.
            System.setOut(System.err);
        }
        Breakdown.watch(new ProcessHost());
        ProcessHost.endWithCommand(() -> run(arguments));
    }

    @Command(name = "load", mixinStandardHelpOptions = true)
    void load() {
        Bench.keepDataset(new ProcessHost());
    }

    @Command(name = "generate", mixinStandardHelpOptions = true)
    void generate(@Option(names = "--output", required = true, paramLabel = "FILE") Path output) {
        ProcessHost host = new ProcessHost();
        Settings settings = host.settings();
        EventSource source = Datasets.open(host.home(), Datasets.chosen(settings), settings, host::status);
        source.warnings().forEach(host::line);
        try (IdeaLineWriter writer = IdeaLineWriter.open(output, host::onShutdown);
                ProgressBar bar = new ProgressBar(host, "writing " + source.name(), source.count(), "events")) {
            source.read(EVENTS_OF_BATCH, events -> {
                writer.write(events);
                bar.advance(events.size());
            });
            writer.finish();
        }
        host.line(String.format(Locale.ROOT, "%s: %,d events of %s", output, source.count(), source.name()));
    }

    @Command(name = "report", mixinStandardHelpOptions = true)
    void report(@Parameters(paramLabel = "DIR") Path directory) {
        ProcessHost host = new ProcessHost();
        host.protectResults();
        try {
            host.results(RunReports.write(directory));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(String.valueOf(unreadable.getMessage()), unreadable);
        }
    }

    /** Runs a scenario: on Gatling, as {@code mvn gatling:test} does, or step by step if the scenario is a procedure. */
    @Command(name = "run")
    static final class RunCommand extends SiemloadCommand {
        @Override
        ExitCode run() {
            RunProcesses.endWithParent(host);
            RunPlan plan = RunGuard.prepare(host);
            if (plan.isProcedure()) {
                return RunGuard.followProcedure();
            }
            host.protectResults();
            if (plan.isInjected()) {
                // The injectors are registered before the run is opened, so that they are ended after it when this
                // process stops.
                RunProcesses injectors = new RunProcesses(host);
                return RunGuard.open(run -> {
                    InjectedLoad.conduct(run, injectors, Version.text());
                    return ProcessHost.ending();
                });
            }
            int gatling = SiemSimulation.run(host.settings());
            ExitCode ending = ProcessHost.ending();
            return ending == ExitCode.OK && gatling != 0 ? ExitCode.INCONCLUSIVE : ending;
        }
    }

    /** Runs one part of a run's load. The parent process describes this part of the load on standard input. */
    @Command(name = INJECT, hidden = true, mixinStandardHelpOptions = true)
    int inject() throws IOException {
        ProcessHost host = new ProcessHost();
        OutputStream link = new FileOutputStream(FileDescriptor.out);
        InjectorProcess injector = InjectorProcess.open(host, System.in, link, Version.text());
        RunProcesses.endWithParent(host);
        injector.settings().forEach((name, value) -> ProcessHost.add(Setting.option(name, value)));
        ProcessHost.tellFailures(injector::failed);
        injector.join();
        Path logs = Files.createTempDirectory("siemload-injector");
        host.onShutdown(() -> {
            try {
                DirectoryTree.delete(logs);
            } catch (IOException left) {
                // The system removes temporary directories after a while.
            }
        });
        SiemSimulation.runWithoutReport(logs);
        return ProcessHost.ending().number();
    }

    /** Shows what a run would do, without touching a database. */
    @Command(name = "validate", mixinStandardHelpOptions = true)
    void validate() {
        ProcessHost host = new ProcessHost();
        RunPlan plan = RunPlan.read(host.settings(), host.home(), host::status);
        // Scenario values that --set changed are listed among the scenario's other values.
        List<Setting> rows = new ArrayList<>(plan.meaningfulSettings());
        rows.removeAll(plan.settings().ofScenario());
        rows.addAll(plan.values());
        Map<String, Setting> byName = new LinkedHashMap<>();
        rows.forEach(row -> byName.put(row.name(), row));
        String provision = plan.choice().provision().label();
        byName.computeIfPresent(Property.PROVISION.name(), (name, row) -> new Setting(name, provision, row.origin()));
        host.line(Table.of(byName.values().stream()
                .map(row -> List.of(row.name(), row.shown(), row.origin().toString()))
                .toList()));
        plan.scenario()
                .catalog()
                .own()
                .forEach(search -> host.line("search " + search.name() + ": " + search.description()));
        host.line(plan.scenario().name() + " is valid: " + plan.scenario().description());
    }

    /** Lists the scenarios, data sets, targets and searches. */
    @Command(name = "list")
    static final class ListCommand extends SiemloadCommand {
        private final List<List<String>> rows = new ArrayList<>();

        private void row(String name, String text) {
            rows.add(List.of(name, text));
        }

        @Override
        ExitCode run() {
            Set<String> folders = new HashSet<>();
            ScenarioReader.files(host.home()).forEach((name, file) -> {
                String folder = String.valueOf(file.getParent());
                if (folders.add(folder)) {
                    row(folder, "");
                }
                row("  " + name, description(name));
            });
            row("data sets", "");
            Datasets.descriptions(host.home()).forEach((name, text) -> row("  " + name, text));
            row("targets", "");
            TargetPlugin.all().forEach(this::target);
            row("searches", "");
            SearchCatalog.builtIn().all().forEach(search -> row("  " + search.name(), search.description()));
            host.line(Table.of(rows));
            return ExitCode.OK;
        }

        /** Returns the scenario's description, or the reason why the scenario cannot be read. */
        private String description(String scenario) {
            try {
                Map<String, String> options = Map.of(Property.SCENARIO.name(), scenario);
                Settings settings = Settings.of(options, Map.of(), Map.of());
                return ScenarioReader.read(host.home(), settings).description();
            } catch (ConfigException wrong) {
                return "(" + wrong.problems().get(0) + ")";
            }
        }

        private void target(TargetPlugin plugin) {
            Abilities abilities = plugin.abilities();
            row("  " + plugin.id(), plugin.product().title());
            String orOwn = plugin.ownLayouts().isPresent() ? ", or your own folder" : "";
            row("    layouts", String.join(", ", abilities.layouts()) + orOwn);
            row("    partitions", labels(abilities.partitions(), Partitions::label));
            row("    indexes", labels(abilities.indexSets(), IndexSet::label));
            row("    hints", labels(abilities.hints(), Hint::label));
            row("    paging", labels(abilities.pagings(), Paging::label));
            row("    provision", labels(abilities.provisions(), Provision::label));
        }

        private static <T> String labels(List<T> offered, Function<T, String> label) {
            return offered.stream().map(label).collect(Collectors.joining(", "));
        }
    }

    /** Provides the text of {@code --version}. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            Map<String, String> facts = MachineFacts.program(new ProcessHost().home());
            String commit = facts.getOrDefault("revision", "").replaceFirst("^(.{1,12}).*$", ", commit $1");
            return new String[] {
                "siemload " + text() + commit + ("yes".equals(facts.get("changed")) ? " with changes" : "")
            };
        }

        /** Returns the version of this program. */
        static String text() {
            return Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "from a checkout");
        }
    }

    /**
     * Returns all commands with their options.
     *
     * @param arguments the process's arguments, which decide how much the help shows
     */
    static CommandLine commandLine(String... arguments) {
        CommandLine line = new CommandLine(new Main());
        line.addSubcommand(new CommandLine(new AutoComplete.GenerateCompletion()).setCommandName("completion"));
        List<String> words = List.of(arguments);
        PropertyOptions.addTo(line, words.contains("--help") || words.contains("-h") || words.contains("help"));
        PropertyOptions.addVariants(line, words);
        look(line);
        return line;
    }

    /** Makes the help of a command and its subcommands look alike. */
    private static void look(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        // Commands that are methods have the help options from their annotation: picocli counts a method's parameters
        // after them.
        if (!spec.helpCommand()) {
            spec.mixinStandardHelpOptions(true);
        }
        spec.usageMessage().sortOptions(false).abbreviateSynopsis(command.getParent() != null);
        command.getSubcommands().values().forEach(Main::look);
    }

    static int run(String... arguments) {
        CommandLine line = commandLine(arguments);
        if (arguments.length == 0) {
            line.usage(line.getErr());
            return ExitCode.INVALID_INPUT.number();
        }
        line.setExecutionStrategy(parsed -> {
            ParseResult command = PropertyOptions.command(parsed);
            // picocli's help command accepts any argument without an error.
            if (command.commandSpec().helpCommand() && !command.unmatched().isEmpty()) {
                throw new CommandLine.UnmatchedArgumentException(
                        command.commandSpec().commandLine(), command.unmatched());
            }
            try {
                ProcessHost.use(PropertyOptions.given(parsed), PropertyOptions.variants(parsed));
            } catch (ConfigException wrong) {
                return RunGuard.report(new ProcessHost(), wrong).number();
            }
            return new CommandLine.RunLast().execute(parsed);
        });
        line.setExecutionExceptionHandler((failure, command, parsed) ->
                RunGuard.report(new ProcessHost(), failure).number());
        line.setParameterExceptionHandler((wrong, unparsed) -> {
            CommandLine command = wrong.getCommandLine();
            command.getErr().println(wrong.getMessage());
            CommandLine.UnmatchedArgumentException.printSuggestions(wrong, command.getErr());
            command.getErr().println(command.getCommandSpec().qualifiedName() + " --help shows the usage");
            return ExitCode.INVALID_INPUT.number();
        });
        try {
            refusePasswords(arguments);
            return line.execute(arguments);
        } catch (ConfigException wrong) {
            return RunGuard.report(new ProcessHost(), wrong).number();
        }
    }

    /** Refuses passwords on the command line, which every user of the machine can read. The message does not repeat the password. */
    private static void refusePasswords(String... arguments) {
        for (String argument : arguments) {
            Matcher password = PASSWORD.matcher(argument);
            if (password.matches()) {
                String ending = password.group(2) == null ? "" : VariantConnections.variable("", password.group(2));
                throw new ConfigException(
                        new Origin.WholeFile("command line"),
                        "'" + password.group(1)
                                + "' gives a password where every user of the machine can read it (set SIEMLOAD_PASSWORD"
                                + ending + " or SIEMLOAD_PASSWORD_FILE" + ending + ", and choose another password)");
            }
        }
    }

    /**
     * The options that commands share: each property as {@code --name VALUE}, and as {@code -Dname=VALUE} for users of Maven. Stateless.
     */
    static final class PropertyOptions {
        private static final String DEFINE = "-D";
        private static final String SET = "--set";
        private static final String SCENARIO = "SCENARIO";
        private static final String URL_OF_VARIANT = "--" + VariantConnections.URL_OF;

        /** Commands whose variants may have urls of their own. */
        private static final List<String> OF_VARIANTS = List.of("experiment", "gate");

        private static final List<String> COMMANDS =
                List.of("run", "validate", "generate", "load", "check-layout", "experiment", "gate", "capacity");

        private static final Set<String> MOST_USED =
                Set.of("scenario target url users eps duration dataset indexes hint results".split(" "));

        /** Commands that accept only the listed properties, and set all other properties themselves. */
        private static final Map<String, List<Property<?>>> OF_OTHERS = Map.of(
                "selftest", List.of(Property.RESULTS, Property.CACHE, Property.VERBOSE),
                "storage", List.of(Property.RESULTS, Property.CACHE, Property.VERBOSE),
                "report", List.of(Property.DETAILS, Property.VERBOSE),
                "convert", List.of(Property.FORMAT, Property.VERBOSE),
                "learn", List.of(Property.FORMAT, Property.SEED, Property.VERBOSE));

        private PropertyOptions() {}

        /** @param brief whether only the most used options of a run are shown */
        static void addTo(CommandLine line, boolean brief) {
            for (String name : COMMANDS) {
                CommandSpec command = command(line, name);
                Property.all()
                        .forEach(property -> add(property, command, brief && !MOST_USED.contains(property.name())));
                command.addOption(values(DEFINE, "name=VALUE"));
                command.addOption(values(SET, "PATH=VALUE"));
                command.addOption(
                        OptionSpec.builder("--help-all").usageHelp(true).build());
            }
            List.of("run", "validate")
                    .forEach(name -> command(line, name)
                            .addPositional(PositionalParamSpec.builder()
                                    .index("0")
                                    .arity("0..1")
                                    .paramLabel(SCENARIO)
                                    .type(String.class)
                                    .build()));
            OF_OTHERS.forEach((name, properties) -> {
                properties.forEach(property -> add(property, command(line, name), false));
                command(line, name).addOption(values(DEFINE, "name=VALUE"));
            });
        }

        /** Adds the options of single variants that are among these arguments, and one for the help: only an experiment names variants. */
        static void addVariants(CommandLine line, List<String> arguments) {
            List<String> options = Stream.concat(Stream.of(URL_OF_VARIANT + "NAME"), arguments.stream())
                    .map(argument -> argument.split("=", 2)[0])
                    .filter(option -> option.startsWith(URL_OF_VARIANT))
                    .distinct()
                    .toList();
            OF_VARIANTS.forEach(name -> options.forEach(option -> command(line, name)
                    .addOption(OptionSpec.builder(option)
                            .paramLabel("VALUE")
                            .type(String.class)
                            .build())));
        }

        private static OptionSpec values(String name, String label) {
            return OptionSpec.builder(name)
                    .paramLabel(label)
                    .type(Map.class)
                    .auxiliaryTypes(String.class, String.class)
                    .build();
        }

        private static CommandSpec command(CommandLine line, String name) {
            return Objects.requireNonNull(line.getSubcommands().get(name), name).getCommandSpec();
        }

        private static void add(Property<?> property, CommandSpec command, boolean hidden) {
            ValueType<?> type = property.type();
            boolean plain = type.isSwitch() || Set.of("text", "path").contains(type.allowed());
            String text = command.resourceBundle().getString("property." + property)
                    + (plain ? "" : "; " + type.allowed())
                    + property.defaultText().map(value -> "; default " + value).orElse("");
            // A switch takes a following word true or false as its value.
            command.addOption(OptionSpec.builder("--" + property)
                    .paramLabel(property.name().toUpperCase(Locale.ROOT))
                    .type(type.isSwitch() ? Boolean.class : String.class)
                    .arity(type.isSwitch() ? "0..1" : "1")
                    .hidden(hidden)
                    .description(text.replace("%", "%%"))
                    .build());
        }

        /**
         * Returns the properties on a command line by name, and the scenario's values by path. The scenario may be the first word after the
         * command, in place of {@code --scenario}.
         *
         * @throws ConfigException if both name a scenario, but different ones
         */
        static Map<String, Setting> given(ParseResult parsed) {
            Map<String, Setting> given = new LinkedHashMap<>();
            ParseResult command = command(parsed);
            command.matchedOptionValue(DEFINE, Map.<String, String>of())
                    .forEach((name, value) ->
                            given.put(name, new Setting(name, value, new Origin.SystemProperty(name))));
            command.matchedOptionValue(SET, Map.<String, String>of())
                    .forEach((path, value) -> given.put(path, new Setting(path, value, new Origin.Option("set"))));
            for (OptionSpec option : command.matchedOptions()) {
                String name = option.longestName().substring(2);
                if (Property.named(name).isPresent()) {
                    given.put(
                            name, Setting.option(name, option.<Object>getValue().toString()));
                }
            }
            for (PositionalParamSpec word : command.matchedPositionals()) {
                if (word.paramLabel().equals(SCENARIO) && word.getValue() instanceof String value) {
                    String name = Property.SCENARIO.name();
                    Setting option = given.put(name, new Setting(name, value, new Origin.WholeFile(SCENARIO)));
                    if (option != null && !option.value().equals(value)) {
                        String both = "'" + option.value() + "', but the first word is '" + value + "'";
                        throw new ConfigException(option.origin(), both + ": remove one of them");
                    }
                }
            }
            return given;
        }

        /** Returns the options of single variants of an experiment, with keys like {@code url.NAME}. */
        static Map<String, String> variants(ParseResult parsed) {
            Map<String, String> variants = new LinkedHashMap<>();
            for (OptionSpec option : command(parsed).matchedOptions()) {
                if (option.longestName().startsWith(URL_OF_VARIANT)) {
                    variants.put(option.longestName().substring(2), option.getValue());
                }
            }
            return variants;
        }

        private static ParseResult command(ParseResult parsed) {
            return parsed.hasSubcommand() ? command(parsed.subcommand()) : parsed;
        }
    }
}
