package siemload.cli;

import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import siemload.config.ConfigException;
import siemload.config.NearestName;
import siemload.config.Origin;
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
            String meant = NearestName.among(first, known)
                    .map(name -> "did you mean " + name + "? ")
                    .orElse("");
            throw new ConfigException(
                    new Origin.WholeFile("command line"),
                    "'" + first + "' is neither a command nor a scenario (" + meant
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
}
