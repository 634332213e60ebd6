package siemload.cli;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import picocli.CommandLine;
import siemload.cli.Main.PropertyOptions.Given;

/** The arguments of {@code ./siemload}, for tests that start nothing. */
public final class Arguments {
    private Arguments() {}

    /**
     * Reads arguments as the command line does.
     *
     * @return the properties that they set
     * @throws CommandLine.ParameterException if there is no such command or option
     */
    public static Map<String, String> read(List<String> arguments) {
        return Given.of(parsed(arguments)).options();
    }

    /**
     * Does something with a command that has its options, but was not called; those that set properties hold meanwhile
     * for all of this process, so that one test at a time may ask for it.
     *
     * @param arguments begin with the command's name
     * @throws CommandLine.ParameterException if there is no such command or option
     */
    static <C> void use(Class<C> type, Consumer<C> user, List<String> arguments) {
        CommandLine.ParseResult parsed = parsed(arguments);
        ProcessHost.use(Given.of(parsed));
        try {
            user.accept(type.cast(parsed.subcommand().commandSpec().userObject()));
        } finally {
            ProcessHost.use(Given.NOTHING);
        }
    }

    private static CommandLine.ParseResult parsed(List<String> arguments) {
        CommandLine line = Main.commandLine();
        return line.parseArgs(Main.withCommand(line, arguments.toArray(String[]::new)));
    }

    /** The options of all commands, with their dashes. */
    public static Set<String> options() {
        Set<String> options = new TreeSet<>();
        collect(Main.commandLine(), options);
        return options;
    }

    private static void collect(CommandLine line, Set<String> options) {
        options.addAll(line.getCommandSpec().optionsMap().keySet());
        line.getSubcommands().values().forEach(command -> collect(command, options));
    }
}
