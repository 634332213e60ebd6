package siemload.compare.capacity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import siemload.compare.capacity.CapacitySearches.Step;
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
    record Ended(List<CapacitySearches.Ended> searches, List<Trial> trials) {
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
                rates.length,
                against,
                List.of("all responseTime p50 < 1s"),
                Map.of(),
                precisionRatio,
                mostRuns);
    }

    /** Users beside shares of the rate that is borne without them. */
    static CapacityQuestion ofShares(double precisionRatio, int mostRuns, int points) {
        return new CapacityQuestion(
                "hawat",
                List.of(
                        new VariedLoad.Range(VariedLoad.USERS, 1, 20, 10_000),
                        new VariedLoad.Range(VariedLoad.EVENTS_PER_SECOND, 10, 200, 1_000_000)),
                points,
                List.of(),
                List.of("all responseTime p50 < 1s"),
                Map.of(),
                precisionRatio,
                mostRuns);
    }

    static Ended end(CapacityQuestion question, Oracle oracle) {
        CapacitySearches searches = new CapacitySearches(question);
        List<Trial> trials = new ArrayList<>();
        while (true) {
            Step step = searches.after(trials);
            if (step instanceof Step.End end) {
                return new Ended(end.searches(), trials);
            }
            if (step instanceof Step.Run run) {
                trials.add(trial(run, oracle.run(users(run), eventsPerSecond(run))));
            }
        }
    }

    private static double users(Step.Run run) {
        return run.search().varied() == VariedLoad.USERS
                ? run.load()
                : run.search().beside().get("users");
    }

    private static double eventsPerSecond(Step.Run run) {
        return run.search().varied() == VariedLoad.EVENTS_PER_SECOND
                ? run.load()
                : run.search().beside().get("eventsPerSecond");
    }

    private static Trial trial(Step.Run run, Trial.Outcome outcome) {
        return new Trial(
                run.search().number(),
                run.load(),
                outcome,
                List.of(),
                List.of(),
                new TrialFigures("all", 1, 1, 1, 1, 1, 1),
                "runs/1",
                1);
    }
}
