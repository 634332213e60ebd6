package siemload.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;
import siemload.compare.experiment.ExperimentReader;
import siemload.run.ExitCode;
import siemload.scenario.ScenarioReader;

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
    /** {@code --hint=x} is three words to bash, and one to zsh. */
    private static final String SCRIPT = """
            # Completion of siemload for bash and zsh.
            if [ -n "${ZSH_VERSION:-}" ]; then
                autoload -U +X compinit && compinit
                autoload -U +X bashcompinit && bashcompinit
            fi
            _siemload() {
                local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} before= known=
                [ "$word" = = ] && word=
                [ "$previous" = = ] && previous=${COMP_WORDS[COMP_CWORD-2]}
                case $word in --*=*) previous=${word%%=*} before=$previous= word=${word#*=} ;; esac
                COMPREPLY=()
                if [ "$COMP_CWORD" = 1 ]; then
                    known="@WORDS@"
                else
                    case $previous in
            @VALUES@        *)
                        case $word in
                        -*) case ${COMP_WORDS[1]} in
            @OPTIONS@            esac ;;
                        *) case ${COMP_WORDS[1]} in
                            run | validate) known="@SCENARIOS@" ;;
                            experiment) known="@EXPERIMENTS@" ;;
                            esac ;;
                        esac ;;
                    esac
                fi
                COMPREPLY=($(compgen -P "$before" -W "$known" -- "$word"))
            }
            complete -o default -F _siemload siemload
            """;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() {
        new ProcessHost().line(script(command.root()).stripTrailing());
        return ExitCode.OK.number();
    }

    /** @param root of all commands */
    static String script(CommandSpec root) {
        Path home = new ProcessHost().home();
        String scenarios = String.join(" ", ScenarioReader.names(home));
        String experiments = String.join(" ", ExperimentReader.names(home));
        Map<String, CommandLine> commands = new LinkedHashMap<>(root.subcommands());
        commands.values().removeIf(one -> one.getCommandSpec().usageMessage().hidden());
        return SCRIPT.replace("@WORDS@", String.join(" ", commands.keySet()) + " " + scenarios)
                .replace("@VALUES@", values(commands))
                .replace("@OPTIONS@", options(commands))
                .replace("@SCENARIOS@", scenarios)
                .replace("@EXPERIMENTS@", experiments);
    }

    /** What may follow an option; those that take a value of any kind end in names of files. */
    private static String values(Map<String, CommandLine> commands) {
        Map<String, String> values = new LinkedHashMap<>();
        for (CommandLine one : commands.values()) {
            for (OptionSpec option : one.getCommandSpec().options()) {
                List<String> names = new ArrayList<>();
                if (option.completionCandidates() != null) {
                    option.completionCandidates().forEach(names::add);
                }
                if (option.arity().min() > 0) {
                    Stream.of(option.names()).forEach(name -> values.putIfAbsent(name, String.join(" ", names)));
                }
            }
        }
        Map<String, List<String>> byValues = new LinkedHashMap<>();
        values.forEach((name, names) ->
                byValues.computeIfAbsent(names, other -> new ArrayList<>()).add(name));
        return cases("        ", byValues);
    }

    /** A first word that is no command is a scenario to run. */
    private static String options(Map<String, CommandLine> commands) {
        Map<String, CommandLine> runLast = new LinkedHashMap<>(commands);
        runLast.put("*", Objects.requireNonNull(runLast.remove("run")));
        Map<String, List<String>> byOptions = new LinkedHashMap<>();
        runLast.forEach((name, one) -> byOptions
                .computeIfAbsent(
                        String.join(" ", one.getCommandSpec().optionsMap().keySet()), options -> new ArrayList<>())
                .add(name));
        return cases("                ", byOptions);
    }

    /** @param behind what may stand behind, with the words that it may stand behind */
    private static String cases(String indent, Map<String, List<String>> behind) {
        StringBuilder text = new StringBuilder();
        behind.forEach((known, words) -> text.append(indent)
                .append(String.join(" | ", words))
                .append(") known=\"")
                .append(known)
                .append("\" ;;\n"));
        return text.toString();
    }
}
