package siemload.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.cli.Main.SiemloadCommand;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.config.directory.DirectoryTree;
import siemload.database.Abilities;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.database.TargetPlugin;
import siemload.dataset.Datasets;
import siemload.load.SiemSimulation;
import siemload.load.injector.InjectedLoad;
import siemload.load.injector.InjectorProcess;
import siemload.query.Paging;
import siemload.query.SearchCatalog;
import siemload.results.report.Table;
import siemload.run.ExitCode;
import siemload.run.RunGuard;
import siemload.run.RunPlan;
import siemload.run.RunProcesses;
import siemload.scenario.ScenarioReader;

/** The commands that run a scenario, and those that show what there is to run. */
final class RunCommands {
    private RunCommands() {}

    /** The scenario as the first word after a command, in place of {@code --scenario}. */
    private static final class ScenarioArgument {
        @Parameters(arity = "0..1", paramLabel = "SCENARIO")
        private String scenario = "";

        /** Makes it an option like the others. @throws ConfigException if an option names another scenario */
        void use() {
            if (scenario.isEmpty()) {
                return;
            }
            Setting named = new Setting(Property.SCENARIO.name(), scenario, new Origin.WholeFile("SCENARIO"));
            Setting option = ProcessHost.given(named.name()).orElse(named);
            if (!option.value().equals(scenario)) {
                throw new ConfigException(
                        option.origin(),
                        "'" + option.value() + "', after '" + scenario + "' as the first word: leave one of them out");
            }
            ProcessHost.add(named);
        }
    }

    /** Runs a scenario: on Gatling, as {@code mvn gatling:test} does, or step by step where it is a procedure. */
    @Command(name = "run")
    static final class RunCommand extends SiemloadCommand {
        @Mixin
        private ScenarioArgument scenario = new ScenarioArgument();

        @Option(names = "--quiet")
        private boolean quiet;

        @Override
        ExitCode run() {
            if (quiet) {
                ProcessHost.quiet();
            }
            scenario.use();
            RunProcesses.endWithParent(host);
            RunPlan plan = RunGuard.prepare(host);
            if (plan.isProcedure()) {
                return RunGuard.followProcedure();
            }
            host.protectResults();
            if (plan.isInjected()) {
                // Before the run is opened: what was started then ends after the run has when this process stops.
                RunProcesses injectors = new RunProcesses(host);
                return RunGuard.open(run -> {
                    InjectedLoad.conduct(run, injectors, Main.Version.text());
                    return ProcessHost.ending();
                });
            }
            int gatling = SiemSimulation.run(host.settings());
            ExitCode ending = ProcessHost.ending();
            return ending == ExitCode.OK && gatling != 0 ? ExitCode.INCONCLUSIVE : ending;
        }
    }

    /** Makes a part of the load of a run, as whoever started it tells it over its standard input. */
    @Command(name = InjectCommand.NAME, hidden = true)
    static final class InjectCommand extends SiemloadCommand {
        static final String NAME = "inject";

        /** What anybody prints in this process goes to the errors: the output is a link. To be called before anything prints. */
        static void keepOutput() {
            System.setOut(System.err);
        }

        @Override
        ExitCode run() throws IOException {
            OutputStream link = new FileOutputStream(FileDescriptor.out);
            InjectorProcess injector = InjectorProcess.open(host, System.in, link, Main.Version.text());
            RunProcesses.endWithParent(host);
            injector.settings().forEach((name, value) -> ProcessHost.add(Setting.option(name, value)));
            ProcessHost.tellFailures(injector::failed);
            injector.join();
            Path logs = Files.createTempDirectory("siemload-injector");
            host.onShutdown(() -> {
                try {
                    DirectoryTree.delete(logs);
                } catch (IOException left) {
                    // Where the system keeps such files for a while.
                }
            });
            SiemSimulation.runWithoutReport(logs);
            return ProcessHost.ending();
        }
    }

    /** Shows what a run would do, without touching a database. */
    @Command(name = "validate")
    static final class ValidateCommand extends SiemloadCommand {
        @Mixin
        private ScenarioArgument scenario = new ScenarioArgument();

        @Override
        ExitCode run() {
            scenario.use();
            RunPlan plan = RunPlan.read(host.settings(), host.home(), host::status);
            // Of the scenario's values those that --set has given are among the others.
            List<Setting> rows = new ArrayList<>(plan.meaningfulSettings());
            rows.removeAll(plan.settings().ofScenario());
            rows.addAll(plan.resolved().values());
            Map<String, Setting> byName = new LinkedHashMap<>();
            rows.forEach(row -> byName.put(row.name(), row));
            String provision = plan.choice().provision().label();
            byName.computeIfPresent(
                    Property.PROVISION.name(), (name, row) -> new Setting(name, provision, row.origin()));
            host.line(Table.of(byName.values().stream()
                    .map(row -> List.of(row.name(), row.shown(), row.origin().toString()))
                    .toList()));
            plan.resolved()
                    .catalog()
                    .own()
                    .forEach(search -> host.line("search " + search.name() + ": " + search.description()));
            host.line(plan.scenario().name() + " is valid: " + plan.scenario().description());
            return ExitCode.OK;
        }
    }

    /** Lists what can be run. */
    @Command(name = "list")
    static final class ListCommand extends SiemloadCommand {
        private final List<List<String>> rows = new ArrayList<>();

        private void row(String name, String text) {
            rows.add(List.of(name, text));
        }

        @Override
        ExitCode run() {
            row("scenarios", "");
            ScenarioReader.names(host.home()).forEach(name -> row("  " + name, description(name)));
            row("data sets", "");
            Datasets.descriptions(host.home()).forEach((name, text) -> row("  " + name, text));
            row("targets", "");
            TargetPlugin.all().forEach(this::target);
            row("searches", "");
            SearchCatalog.builtIn().all().forEach(search -> row("  " + search.name(), search.description()));
            host.line(Table.of(rows));
            return ExitCode.OK;
        }

        /** The scenario's description, or what keeps it from being read. */
        private String description(String scenario) {
            try {
                Map<String, String> options = Map.of(Property.SCENARIO.name(), scenario);
                Settings settings = Settings.of(new SettingSources(options, Map.of(), Map.of()));
                return ScenarioReader.read(host.home(), settings).scenario().description();
            } catch (ConfigException wrong) {
                return "(" + wrong.problems().get(0) + ")";
            }
        }

        private void target(TargetPlugin plugin) {
            Abilities abilities = plugin.abilities();
            row("  " + plugin.id(), plugin.product().title());
            String orOwn = plugin.ownLayouts().isPresent() ? ", or a folder of yours" : "";
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
}
