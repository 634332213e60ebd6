package siemload.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import siemload.cli.Main.PropertyOptions;

/** The arguments of {@code ./siemload}, for tests that start nothing. */
public final class Arguments {
    /** Each parses anew what it is given. */
    private static final CommandLine LINE = Main.commandLine();

    private Arguments() {}

    /**
     * Reads arguments as the command line does.
     *
     * @return the properties that they set
     * @throws CommandLine.ParameterException if there is no such command or option
     */
    public static Map<String, String> read(List<String> arguments) {
        String[] words = arguments.toArray(String[]::new);
        boolean hasVariants = arguments.stream().anyMatch(word -> word.startsWith("--url."));
        Map<String, String> set = new HashMap<>();
        PropertyOptions.given((hasVariants ? Main.commandLine(words) : LINE).parseArgs(words))
                .forEach((name, setting) -> set.put(name, setting.value()));
        return set;
    }

    /** The options of all commands, with their dashes. */
    public static Set<String> options() {
        Set<String> options = new TreeSet<>();
        collect(LINE, options);
        return options;
    }

    private static void collect(CommandLine line, Set<String> options) {
        options.addAll(line.getCommandSpec().optionsMap().keySet());
        line.getSubcommands().values().forEach(command -> collect(command, options));
    }
}
