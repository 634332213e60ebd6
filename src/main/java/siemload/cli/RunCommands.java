package siemload.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import siemload.cli.Main.PropertyOptions.Given;
import siemload.cli.Main.SiemloadCommand;
import siemload.config.ConfigException;
import siemload.config.Durations;
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
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.ResolvedScenario;
import siemload.scenario.Scenario;
import siemload.scenario.ScenarioReader;
import siemload.scenario.rate.Rate;

/** The commands that run a scenario, and those that show what there is to run. */
final class RunCommands {
    private RunCommands() {}

    /** The scenario as the first word after a command, in place of {@code --scenario}. */
    private static final class ScenarioArgument {
        @Parameters(
                arity = "0..1",
                paramLabel = "SCENARIO",
                completionCandidates = Scenarios.class,
                description = "a name in scenarios/, or a YAML file")
        private String scenario = "";

        /** Makes it an option like the others. @throws ConfigException if an option names another scenario */
        void use() {
            String name = Property.SCENARIO.name();
            String option = ProcessHost.option(name).orElse(scenario);
            if (!scenario.isEmpty() && !option.equals(scenario)) {
                throw new ConfigException(
                        ProcessHost.originOfOption(name),
                        "'" + option + "', after '" + scenario + "' as the first word: leave one of them out");
            }
            if (!scenario.isEmpty()) {
                ProcessHost.addOption(name, scenario, new Origin.Argument("SCENARIO"));
            }
        }
    }

    /** What a shell may complete. */
    static final class Scenarios implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ScenarioReader.names(new ProcessHost().home()).iterator();
        }
    }

    /** Runs a scenario: on Gatling, as {@code mvn gatling:test} does, or step by step where it is a procedure. */
    @Command(
            name = "run",
            description = "Runs a scenario and writes its results.",
            footer = {
                "  ./siemload run hawat",
                "  ./siemload run hawat -u 50 -e 1000 -d 5m",
                "  ./siemload run --dataset events.idea.gz --amplify 100",
                "  ./siemload run hawat --url postgresql://me@db.example/siem --yes",
                "  ./siemload run my.yaml --data existing --url postgresql://db.example/shop"
            })
    static final class RunCommand extends SiemloadCommand {
        @Mixin
        private ScenarioArgument scenario = new ScenarioArgument();

        @Option(names = "--quiet", description = "prints nothing but the verdict, the path of the report, and errors")
        private boolean quiet;

        @Option(names = "--json", description = "prints run.json at the end; all else goes to standard error")
        private boolean json;

        @Override
        ExitCode run() {
            if (json || quiet) {
                ProcessHost.speakTo(json ? Terminal.Hearer.PROGRAM : Terminal.Hearer.BUSY_PERSON);
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
    @Command(
            name = InjectCommand.NAME,
            description = "Makes a part of the load of a run; started by run --injectors, not by hand.",
            hidden = true)
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
            ProcessHost.use(new Given(injector.settings(), Map.of(), Map.of()));
            ProcessHost.tellFailures(injector::failed);
            injector.join();
            Path logs = Files.createTempDirectory("siemload-injector");
            host.onShutdown(() -> remove(logs));
            SiemSimulation.runWithoutReport(logs);
            return ProcessHost.ending();
        }

        private static void remove(Path logs) {
            try {
                DirectoryTree.delete(logs);
            } catch (IOException left) {
                System.getLogger(InjectCommand.class.getName()).log(System.Logger.Level.DEBUG, "left " + logs, left);
            }
        }
    }

    /** Shows what a run would do, without touching a database. */
    @Command(
            name = "validate",
            description = {
                "Checks a scenario and shows where values come from.",
                "Prints everything after all overrides. Refuses what does not go together in files and options."
            },
            footer = {"  ./siemload validate hawat", "  ./siemload validate scenarios/mentat.yaml --users 5"})
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
            rates(plan.scenario()).forEach(host::line);
            plan.resolved()
                    .catalog()
                    .own()
                    .forEach(search -> host.line("search " + search.name() + ": " + search.description()));
            host.line(plan.scenario().name() + " is valid: " + plan.scenario().description());
            return ExitCode.OK;
        }

        /** What the rates come to, of feeder and users who arrive, and the ticks of tasks; warm-up included. */
        private static List<String> rates(Scenario scenario) {
            Duration time = scenario.phases().warmup().plus(scenario.phases().measurement());
            String during = " in " + Durations.format(time) + ": ";
            List<String> lines = new ArrayList<>();
            if (scenario.feeder().isOn()) {
                lines.add("events fed" + during + due(scenario.feeder().rate(), time));
            }
            for (AnalystGroup group : scenario.analysts()) {
                if (group.load() instanceof LoadModel.Open open) {
                    lines.add("users of " + group.name() + during + due(open.arrivals(), time));
                } else if (group.load() instanceof LoadModel.Scheduled schedule) {
                    lines.add("ticks of " + group.name() + during + schedule.dueBefore(time.toNanos()));
                }
            }
            return lines;
        }

        private static String due(Rate rate, Duration time) {
            return String.format(Locale.ROOT, "%,d", Math.round(rate.dueUntil(time.toMillis() / 1e3)));
        }
    }

    /** Lists what can be run. */
    @Command(name = "list", description = "Lists scenarios, data sets, targets and searches.")
    static final class ListCommand extends SiemloadCommand {
        private final List<List<String>> rows = new ArrayList<>();

        private void row(String name, String text) {
            rows.add(List.of(name, text));
        }

        @Override
        ExitCode run() {
            row("scenarios", "");
            List<List<String>> own = new ArrayList<>();
            ScenarioReader.names(host.home()).forEach(name -> row("  " + name, scenario(name, own)));
            row("data sets", "");
            Datasets.descriptions(host.home()).forEach((name, text) -> row("  " + name, text));
            row("targets", "");
            TargetPlugin.all().forEach(this::target);
            row("searches", "");
            SearchCatalog.builtIn().all().forEach(search -> row("  " + search.name(), search.description()));
            rows.addAll(own);
            host.line(Table.of(rows));
            return ExitCode.OK;
        }

        /**
         * The scenario's description, or what keeps it from being read.
         *
         * @param own takes the searches that it brings
         */
        private String scenario(String scenario, List<List<String>> own) {
            try {
                Settings settings =
                        Settings.of(new SettingSources(Map.of(Property.SCENARIO.name(), scenario), Map.of(), Map.of()));
                ResolvedScenario resolved = ScenarioReader.read(host.home(), settings);
                resolved.catalog()
                        .own()
                        .forEach(search -> own.add(List.of(
                                "  " + search.name(),
                                search.description() + " (brought by scenario " + scenario + ")")));
                return resolved.scenario().description();
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
