package siemload.compare.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import siemload.compare.capacity.CapacityQuestion;
import siemload.compare.capacity.CapacityResult;
import siemload.compare.capacity.CapacityResult.Capacity;
import siemload.compare.capacity.Finding;
import siemload.compare.capacity.Trial;
import siemload.compare.capacity.Trial.TrialFigures;
import siemload.compare.capacity.VariedLoad;

/** Capacities as runs might find them. */
final class ExampleCapacities {
    private static final List<String> OBJECTIVES =
            List.of("HAWAT1 responseTime p95 < 2s", "feeder achievedRatio >= 0.99");

    private ExampleCapacities() {}

    /** Users beside a feeder, with one run that was not valid. */
    static CapacityResult users() {
        List<Trial> trials = trials(82, 10, 20, 40, 80, 160, 84, 78, 88, 82, 80);
        trials.add(5, invalid(120));
        return ofUsers(
                new Finding(Finding.Kind.FOUND, 80, 76, 84),
                "80 users (76 to 84) at 1000 events/s",
                List.of("the CPUs of the database (it took 97 % of the 2 that it may use)"),
                trials);
    }

    /** Users at rates of the feeder that were given: of one of them too little is known, and the last one is too much. */
    static CapacityResult against() {
        Capacity rough = beside(500, new Finding(Finding.Kind.ROUGHLY, 98, 80, 109));
        List<Capacity> capacities = List.of(
                beside(0, new Finding(Finding.Kind.NOT_MEASURABLE, 110, 110, 160)),
                new Capacity(
                        rough.varied(),
                        rough.beside(),
                        rough.finding(),
                        rough.sentence(),
                        List.of("the CPUs of the database (it took 97 % of the 2 that it may use)"),
                        rough.trials()),
                beside(1_000, new Finding(Finding.Kind.FOUND, 60, 57, 63)),
                new Capacity(
                        VariedLoad.USERS,
                        Map.of("eventsPerSecond", 5_000.0),
                        new Finding(Finding.Kind.LESS_THAN, 0, 0, 1),
                        "none: not even 1 user at 5000 events/s meets the objectives, the least that was allowed",
                        List.of(),
                        trials(0.9, 16, 1, 1)));
        VariedLoad.Range given = new VariedLoad.Range(VariedLoad.EVENTS_PER_SECOND, 0, 0, 5_000);
        return new CapacityResult(
                CapacityResult.FORMAT_VERSION,
                new CapacityQuestion(
                        "hawat",
                        List.of(range(VariedLoad.USERS), given),
                        List.of(0.0, 500.0, 1_000.0, 5_000.0),
                        OBJECTIVES,
                        Map.of("scenario", "hawat"),
                        0.05,
                        15),
                capacities);
    }

    private static Capacity beside(double rate, Finding finding) {
        int users = (int) finding.estimate();
        List<Trial> trials = trials(users, users / 2, users, 2 * users, users, 4 * users);
        if (finding.kind() == Finding.Kind.NOT_MEASURABLE) {
            trials = List.of(trials.get(0), invalid(160), invalid(160));
        }
        return new Capacity(
                VariedLoad.USERS,
                Map.of("eventsPerSecond", rate),
                finding,
                users + " users (" + (int) finding.low() + " to " + (int) finding.high() + ")"
                        + (rate == 0 ? " while nothing is fed" : " at " + (int) rate + " events/s"),
                List.of(),
                trials);
    }

    /** Not even the smallest load. */
    static CapacityResult none() {
        return ofUsers(
                new Finding(Finding.Kind.LESS_THAN, 0, 0, 1),
                "none: not even 1 user at 1000 events/s meets the objectives, the least that was allowed",
                List.of(),
                trials(0.9, 1, 1, 1));
    }

    /** Users alone, beside one load of the feeder. */
    private static CapacityResult ofUsers(Finding finding, String words, List<String> gaveOut, List<Trial> trials) {
        Capacity capacity = new Capacity(VariedLoad.USERS, Map.of(), finding, words, gaveOut, trials);
        List<VariedLoad.Range> varied = List.of(range(VariedLoad.USERS));
        return new CapacityResult(
                CapacityResult.FORMAT_VERSION,
                new CapacityQuestion("hawat", varied, List.of(), OBJECTIVES, Map.of("scenario", "hawat"), 0.05, 30),
                List.of(capacity));
    }

    private static VariedLoad.Range range(VariedLoad varied) {
        return new VariedLoad.Range(varied, 1, 10, 10_000);
    }

    private static List<Trial> trials(double capacity, double... loads) {
        List<Trial> trials = new ArrayList<>();
        for (double load : loads) {
            double part = load / capacity;
            double p95 = part < 1 ? 200_000 / (1.12 - part) : 2_000_000 * Math.pow(part, 4);
            boolean met = p95 < 2_000_000;
            trials.add(new Trial(
                    0,
                    load,
                    met ? Trial.Outcome.MET : Trial.Outcome.NOT_MET,
                    met ? List.of() : List.of("HAWAT1 responseTime p95 < 2s: " + Math.round(p95 / 1e4) / 100.0 + "s"),
                    List.of(),
                    figures(p95, 10 * load / (1 + 0.4 * part * part)),
                    "runs/" + trials.size(),
                    260));
        }
        return trials;
    }

    private static Trial invalid(double load) {
        return new Trial(
                0,
                load,
                Trial.Outcome.INVALID,
                List.of("other programs took 31 % of the CPUs: <b>backup</b>"),
                List.of(),
                figures(3_100_000, 700),
                "runs/invalid",
                260);
    }

    private static TrialFigures figures(double p95, double searches) {
        return new TrialFigures("HAWAT1", p95 / 3, p95, 1.6 * p95, searches, 1_000, 998);
    }
}
