package siemload.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import siemload.compare.CapacityResult.Finding;
import siemload.compare.CapacityResult.Kind;
import siemload.compare.CapacityResult.Outcome;
import siemload.compare.CapacityResult.Trial;
import siemload.compare.CapacityResult.VariedLoad;

/** Capacities as runs might find them. */
public final class ExampleCapacities {
    private static final List<String> OBJECTIVES =
            List.of("HAWAT1 responseTime p95 < 2s", "feeder achievedRatio >= 0.99");

    private ExampleCapacities() {}

    /** Users beside a feeder, with one run that was not valid. */
    public static CapacityResult users() {
        List<Trial> trials = new ArrayList<>();
        for (double load : new double[] {10, 20, 40, 80, 160, 84, 78, 88, 82, 80}) {
            double part = load / 82;
            double p95 = part < 1 ? 200_000 / (1.12 - part) : 2_000_000 * Math.pow(part, 4);
            boolean met = p95 < 2_000_000;
            String why = met ? "" : "HAWAT1 responseTime p95 < 2s: " + Math.round(p95 / 1e4) / 100.0 + "s";
            trials.add(trial(load, met ? Outcome.MET : Outcome.NOT_MET, why, p95, 10 * load / (1 + 0.4 * part * part)));
        }
        String busy = "other programs took 31 % of the CPUs: <b>backup</b>";
        trials.add(5, trial(120, Outcome.INVALID, busy, 3_100_000, 700));
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

    private static Trial trial(double load, Outcome outcome, String why, double p95, double searches) {
        List<String> reasons = why.isEmpty() ? List.of() : List.of(why);
        List<String> gaveOut = outcome == Outcome.NOT_MET
                ? List.of("the CPUs of the database (it took 97 % of the 2 that it may use)")
                : List.of();
        return new Trial(
                load, outcome, reasons, gaveOut, "HAWAT1", p95 / 3, p95, 1.6 * p95, searches, 1_000, "runs/" + load);
    }
}
