package siemload.compare.capacity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import siemload.compare.capacity.Trial.TrialFigures;

/** Frontiers that ask a function in the place of runs. Stateless. */
final class Frontiers {
    private Frontiers() {}

    /** What a run of so many users beside so many events a second says. */
    @FunctionalInterface
    interface Oracle {
        Trial.Outcome run(double users, double eventsPerSecond);
    }

    /** What was found, and the runs in their order. */
    record Ended(List<Finding> findings, List<Trial> trials) {
        List<Trial> of(int search) {
            return trials.stream().filter(trial -> trial.search() == search).toList();
        }
    }

    /** Users, from 20 on, beside rates of the feeder that are given. */
    static CapacityQuestion against(double precisionRatio, int mostRuns, double... rates) {
        List<Double> against = Arrays.stream(rates).boxed().toList();
        return new CapacityQuestion(
                "hawat",
                List.of(
                        new VariedLoad.Range(VariedLoad.USERS, 1, 20, 10_000),
                        new VariedLoad.Range(
                                VariedLoad.EVENTS_PER_SECOND, rates[0], rates[0], rates[rates.length - 1])),
                against,
                List.of("all responseTime p50 < 1s"),
                Map.of(),
                precisionRatio,
                mostRuns);
    }

    static Ended end(CapacityQuestion question, Oracle oracle) {
        List<Trial> trials = new ArrayList<>();
        while (true) {
            CapacityQuestion.Step step = question.after(trials);
            if (step.load().isEmpty()) {
                return new Ended(step.found(), trials);
            }
            double load = step.load().getAsDouble();
            trials.add(new Trial(
                    step.search(),
                    load,
                    oracle.run(load, question.against().get(step.search())),
                    List.of(),
                    List.of(),
                    new TrialFigures("all", 1, 1, 1, 1, 1, 1),
                    "runs/1",
                    1));
        }
    }
}
