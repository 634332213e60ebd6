package siemload.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.config.Durations;
import siemload.results.PlanThen;
import siemload.results.ReplayResult;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.Scenario;

/**
 * What has to be said of a replay: whether all of it was played, and what was not. Immutable.
 *
 * @param faults make the run invalid
 */
record ReplayReview(List<ReplayResult> results, List<String> faults, List<String> notes) {
    ReplayReview {
        results = List.copyOf(results);
        faults = List.copyOf(faults);
        notes = List.copyOf(notes);
    }

    /** Of a run that replays nothing there is nothing to say. */
    static ReplayReview of(Scenario scenario, List<ReplayResult> measured, LoadOutcome.Ending ending) {
        Map<String, List<PlanThen>> plansThen = plansThen(scenario);
        List<ReplayResult> results =
                measured.stream().map(result -> result.with(plansThen)).toList();
        boolean complete = ending == LoadOutcome.Ending.COMPLETE;
        List<String> faults = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (ReplayResult result : results) {
            if (!result.failure().isEmpty()) {
                faults.add("the recording was not played to its end: " + result.failure());
            }
            if (complete && result.unreported() != 0) {
                faults.add(String.format(
                        Locale.ROOT,
                        "what became of %,d of %,d replayed statements is unknown",
                        result.unreported(),
                        result.due()));
            }
            if (result.leftOut() > 0) {
                notes.add(String.format(
                        Locale.ROOT,
                        "%,d of %,d recorded executions were left out, as replay.without or -Dsearches says",
                        result.leftOut(),
                        result.recorded()));
            }
            if (complete && result.failure().isEmpty()) {
                scenario.analysts().forEach(group -> notes.addAll(cut(scenario, group, result)));
            }
        }
        return new ReplayReview(results, faults, notes);
    }

    /** As the recording has them, by the names of the statements. */
    private static Map<String, List<PlanThen>> plansThen(Scenario scenario) {
        Map<String, List<PlanThen>> plans = new HashMap<>();
        for (AnalystGroup group : scenario.analysts()) {
            if (group.load() instanceof LoadModel.Replayed replayed) {
                replayed.recording()
                        .queries()
                        .forEach(query ->
                                plans.put(query.statement().name().name(), LearntReview.plansThen(query.plans())));
            }
        }
        return plans;
    }

    private static List<String> cut(Scenario scenario, AnalystGroup group, ReplayResult result) {
        return group.load() instanceof LoadModel.Replayed replayed && result.notDue() > 0
                ? List.of(String.format(
                        Locale.ROOT,
                        "the replay was cut after %s of %s: %,d of %,d recorded executions were due by then",
                        Durations.format(scenario.phases().measurement()),
                        Durations.format(replayed.length()),
                        result.due(),
                        result.recorded()))
                : List.of();
    }
}
