package siemload.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;
import siemload.run.ExitCode;

/** Writes what makes a shell complete commands, options and their values. */
@Command(
        name = "completion",
        description = {
            "Writes completion for bash and zsh.",
            "Completes commands, options, and the names of scenarios, data sets, experiments and variants as they are now."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "  source <(./siemload completion)                  # in this shell: bash or zsh",
            "  ./siemload completion > ~/.siemload-completion   # for good, with source",
            "                                                   # ~/.siemload-completion in ~/.bashrc"
        })
final class CompletionCommand implements Callable<Integer> {
    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() {
        new ProcessHost().line(script(command.root()));
        return ExitCode.OK.number();
    }

    /** @param root of all commands, whose options get labels of their own: by these the script tells their values apart */
    static String script(CommandSpec root) {
        for (CommandLine command : root.subcommands().values()) {
            CommandSpec spec = command.getCommandSpec();
            for (OptionSpec option : List.copyOf(spec.options())) {
                if (option.completionCandidates() != null) {
                    spec.remove(option);
                    spec.addOption(OptionSpec.builder(option)
                            .paramLabel(option.longestName().substring(2))
                            .build());
                }
            }
        }
        return AutoComplete.bash(root.name(), root.commandLine()).stripTrailing();
    }
}
