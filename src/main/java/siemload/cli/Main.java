package siemload.cli;

import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.UsageMessageSpec;
import siemload.config.ConfigException;
import siemload.run.Breakdown;
import siemload.run.ExitCode;
import siemload.run.RunGuard;

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
            "  ./siemload run --scenario hawat --duration 30s",
            "  ./siemload list",
            "  ./siemload validate hawat --users 50",
            "  ./siemload generate --dataset smoke --output events.idea.gz",
            "  ./siemload learn events.idea --output ours",
            "  ./siemload learn-queries postgresql.csv --output ours.yaml",
            "  ./siemload convert firewall.log --output firewall.idea.gz",
            "  ./siemload load --dataset cesnet-day",
            "  ./siemload experiment hints",
            "  ./siemload gate --baseline hint=none --candidate hint=full-scan",
            "  ./siemload capacity --scenario hawat",
            "  ./siemload selftest",
            "  ./siemload storage .",
            "  ./siemload check-layout layouts/mine",
            "  ./siemload report target/siemload"
        })
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals(InjectCommand.NAME)) {
            InjectCommand.keepOutput();
        }
        Breakdown.watch(new ProcessHost());
        ProcessHost.endWithCommand(() -> run(arguments));
    }

    /** All commands with their options. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        PropertyOptions.addTo(line);
        lookAlike(line);
        return line;
    }

    /** Gives the help of a command, and of those below it, the look that all have. */
    private static void lookAlike(CommandLine command) {
        UsageMessageSpec help = command.getCommandSpec().usageMessage();
        help.sortOptions(false);
        if (!help.exitCodeList().isEmpty()) {
            help.exitCodeListHeading("%nExit codes:%n");
        }
        if (help.footer().length > 0) {
            help.footerHeading("%nExamples:%n");
        }
        command.getSubcommands().values().forEach(Main::lookAlike);
    }

    static int run(String... arguments) {
        Optional<ConfigException> secret = SecretArguments.refused(arguments);
        if (secret.isPresent()) {
            return RunGuard.report(new ProcessHost(), secret.orElseThrow()).number();
        }
        CommandLine line = commandLine();
        PropertyOptions.addVariants(line, List.of(arguments));
        line.setExecutionStrategy(parsed -> {
            ProcessHost.useOptions(PropertyOptions.read(parsed));
            ProcessHost.useVariantOptions(PropertyOptions.readVariants(parsed));
            return new CommandLine.RunLast().execute(parsed);
        });
        line.setExecutionExceptionHandler((failure, command, parsed) ->
                RunGuard.report(new ProcessHost(), failure).number());
        line.setParameterExceptionHandler((wrong, unparsed) -> {
            CommandLine command = wrong.getCommandLine();
            command.getErr().println(wrong.getMessage());
            CommandLine.UnmatchedArgumentException.printSuggestions(wrong, command.getErr());
            command.getErr().println(command.getCommandSpec().qualifiedName() + " --help tells what there is");
            return ExitCode.INVALID_INPUT.number();
        });
        return line.execute(arguments);
    }
}
