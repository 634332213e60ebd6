package siemload.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import siemload.config.Durations;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.results.report.Table;
import siemload.run.ExitCode;
import siemload.run.RunPlan;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.Scenario;
import siemload.scenario.rate.Rate;

/** Shows what a run would do, without touching a database. */
@Command(
        name = "validate",
        description = {
            "Checks a scenario and shows where values come from.",
            "Prints everything after all overrides. Refuses what does not go together in files and options."
        },
        mixinStandardHelpOptions = true,
        footer = {"  ./siemload validate hawat", "  ./siemload validate scenarios/mentat.yaml --users 5"})
final class ValidateCommand implements Callable<Integer> {

    @Mixin
    private ScenarioArgument scenario = new ScenarioArgument();

    @Override
    public Integer call() {
        ProcessHost host = scenario.host();
        RunPlan plan = RunPlan.read(host.settings(), host.home(), host::status);
        // Of the scenario's values those that --set has given are among the others.
        List<Setting> rows = new ArrayList<>(plan.meaningfulSettings());
        rows.removeAll(plan.settings().ofScenario());
        rows.addAll(plan.resolved().values());
        Map<String, Setting> byName = new LinkedHashMap<>();
        rows.forEach(row -> byName.put(row.name(), row));
        String provision = plan.choice().provision().label();
        byName.computeIfPresent(Property.PROVISION.name(), (name, row) -> new Setting(name, provision, row.origin()));
        host.line(Table.of(byName.values().stream()
                .map(row -> List.of(row.name(), row.shown(), row.origin().toString()))
                .toList()));
        rates(plan.scenario()).forEach(host::line);
        plan.resolved()
                .catalog()
                .own()
                .forEach(search -> host.line("search " + search.name() + ": " + search.description()));
        host.line(plan.scenario().name() + " is valid: " + plan.scenario().description());
        return ExitCode.OK.number();
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
            }
            if (group.load() instanceof LoadModel.Scheduled schedule) {
                lines.add("ticks of " + group.name() + during + schedule.dueBefore(time.toNanos()));
            }
            if (group.load() instanceof LoadModel.Replayed replayed) {
                lines.add(String.format(
                        Locale.ROOT,
                        "recorded in %s: %,d executions of %d statements by %,d sessions, at most %,d of them at a time",
                        Durations.format(replayed.length()),
                        replayed.recording().executions(),
                        replayed.recording().queries().size(),
                        replayed.recording().sessions(),
                        replayed.recording().openAtOnce()));
            }
        }
        return lines;
    }

    private static String due(Rate rate, Duration time) {
        return String.format(Locale.ROOT, "%,d", Math.round(rate.dueUntil(time.toMillis() / 1e3)));
    }
}
