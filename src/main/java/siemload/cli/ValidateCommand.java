package siemload.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.results.report.Table;
import siemload.run.ExitCode;
import siemload.run.RunPlan;

/** Shows what a run would do, without touching a database. */
@Command(
        name = "validate",
        description = "Checks a scenario and prints everything after all overrides, and where each value comes from.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {"  ./siemload validate hawat", "  ./siemload validate scenarios/mentat.yaml --users 5"})
final class ValidateCommand implements Callable<Integer> {

    @Mixin
    private ScenarioArgument scenario = new ScenarioArgument();

    @Override
    public Integer call() {
        scenario.use();
        ProcessHost host = new ProcessHost();
        RunPlan plan = RunPlan.read(host.settings(), host.home());
        List<Setting> rows = new ArrayList<>(plan.settings().list());
        rows.addAll(plan.resolved().values());
        Map<String, Setting> byName = new LinkedHashMap<>();
        rows.forEach(row -> byName.put(row.name(), row));
        String provision = plan.choice().provision().label();
        byName.computeIfPresent(Property.PROVISION.name(), (name, row) -> new Setting(name, provision, row.origin()));
        host.line(Table.of(byName.values().stream()
                .map(row -> List.of(row.name(), row.shown(), row.origin().toString()))
                .toList()));
        host.line(plan.scenario().name() + " is valid: " + plan.scenario().description());
        return ExitCode.OK.number();
    }
}
