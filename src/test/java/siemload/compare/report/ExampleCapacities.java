package siemload.compare.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import siemload.compare.capacity.CapacityResult;
import siemload.compare.capacity.CapacityResult.Outcome;
import siemload.compare.capacity.CapacityResult.Trial;
import siemload.compare.capacity.LoadSearch.Finding;
import siemload.compare.capacity.LoadSearch.Kind;
import siemload.compare.capacity.VariedLoad;

/** Capacities as runs might find them. */
final class ExampleCapacities {
    private static final List<String> OBJECTIVES =
            List.of("HAWAT1 responseTime p95 < 2s", "feeder achievedRatio >= 0.99");

    private ExampleCapacities() {}

    /** Users beside a feeder, with one run that was not valid. */
    static CapacityResult users() {
        List<String> gaveOut = List.of("the CPUs of the database (it took 97 % of the 2 that it may use)");
        List<Trial> trials = trials(82, gaveOut, 10, 20, 40, 80, 160, 84, 78, 88, 82, 80);
        trials.add(5, invalid(120));
        return new CapacityResult(
                new CapacityResult.Question(
                        "hawat",
                        new VariedLoad.Range(VariedLoad.USERS, 1, 10, 10_000),
                        OBJECTIVES,
                        Map.of("scenario", "hawat"),
                        0.05,
                        30),
                new Finding(Kind.FOUND, 80, 76, 84),
                "80 users (76 to 84) at 1000 events/s",
                trials);
    }

    private static List<Trial> trials(double capacity, List<String> gaveOut, double... loads) {
        List<Trial> trials = new ArrayList<>();
        for (double load : loads) {
            double part = load / capacity;
            double p95 = part < 1 ? 200_000 / (1.12 - part) : 2_000_000 * Math.pow(part, 4);
            boolean met = p95 < 2_000_000;
            trials.add(trial(
                    load,
                    met ? Outcome.MET : Outcome.NOT_MET,
                    met ? List.of() : List.of("HAWAT1 responseTime p95 < 2s: " + Math.round(p95 / 1e4) / 100.0 + "s"),
                    met ? List.of() : gaveOut,
                    p95,
                    10 * load / (1 + 0.4 * part * part),
                    "runs/" + trials.size()));
        }
        return trials;
    }

    private static Trial invalid(double load) {
        return trial(
                load,
                Outcome.INVALID,
                List.of("other programs took 31 % of the CPUs: <b>backup</b>"),
                List.of(),
                3_100_000,
                700,
                "runs/invalid");
    }

    private static Trial trial(
            double load,
            Outcome outcome,
            List<String> why,
            List<String> gaveOut,
            double p95,
            double searches,
            String directory) {
        return new Trial(
                load, outcome, why, gaveOut, "HAWAT1", p95 / 3, p95, 1.6 * p95, searches, 1_000, 998, directory, 260);
    }
}
