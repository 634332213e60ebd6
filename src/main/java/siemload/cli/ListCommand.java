package siemload.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.database.Abilities;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.database.TargetPlugin;
import siemload.dataset.Datasets;
import siemload.query.Paging;
import siemload.query.SearchCatalog;
import siemload.results.report.Table;
import siemload.run.ExitCode;
import siemload.scenario.ResolvedScenario;
import siemload.scenario.ScenarioReader;

/** Lists what can be run. */
@Command(
        name = "list",
        description = "Lists scenarios, data sets, targets and searches.",
        mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {

    @Override
    public Integer call() {
        ProcessHost host = new ProcessHost();
        List<List<String>> rows = new ArrayList<>();
        heading(rows, "scenarios");
        List<List<String>> own = new ArrayList<>();
        for (String name : ScenarioReader.names(host.home())) {
            rows.add(List.of("  " + name, scenario(host, name, own)));
        }
        heading(rows, "data sets");
        Datasets.descriptions(host.home()).forEach((name, text) -> rows.add(List.of("  " + name, text)));
        heading(rows, "targets");
        TargetPlugin.all().forEach(plugin -> target(rows, plugin));
        heading(rows, "searches");
        SearchCatalog.builtIn().all().forEach(search -> rows.add(List.of("  " + search.name(), search.description())));
        rows.addAll(own);
        host.line(Table.of(rows));
        return ExitCode.OK.number();
    }

    /**
     * The scenario's description, or what keeps it from being read.
     *
     * @param own takes the searches that it brings
     */
    private static String scenario(ProcessHost host, String scenario, List<List<String>> own) {
        try {
            Settings settings =
                    Settings.of(new SettingSources(Map.of(Property.SCENARIO.name(), scenario), Map.of(), Map.of()));
            ResolvedScenario resolved = ScenarioReader.read(host.home(), settings);
            resolved.catalog()
                    .own()
                    .forEach(search -> own.add(List.of(
                            "  " + search.name(), search.description() + " (brought by scenario " + scenario + ")")));
            return resolved.scenario().description();
        } catch (ConfigException wrong) {
            return "(" + wrong.problems().get(0) + ")";
        }
    }

    private static void heading(List<List<String>> rows, String text) {
        rows.add(List.of(text, ""));
    }

    private static void target(List<List<String>> rows, TargetPlugin plugin) {
        Abilities abilities = plugin.abilities();
        rows.add(List.of("  " + plugin.id(), plugin.product().title()));
        rows.add(List.of(
                "    layouts",
                String.join(", ", abilities.layouts())
                        + (plugin.ownLayouts().isPresent() ? ", or a folder of yours" : "")));
        rows.add(List.of("    partitions", labels(abilities.partitions(), Partitions::label)));
        rows.add(List.of("    indexes", labels(abilities.indexSets(), IndexSet::label)));
        rows.add(List.of("    hints", labels(abilities.hints(), Hint::label)));
        rows.add(List.of("    paging", labels(abilities.pagings(), Paging::label)));
        rows.add(List.of("    provision", labels(abilities.provisions(), Provision::label)));
    }

    private static <T> String labels(List<T> offered, Function<T, String> label) {
        return offered.stream().map(label).collect(Collectors.joining(", "));
    }
}
