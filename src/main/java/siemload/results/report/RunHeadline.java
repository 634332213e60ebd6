package siemload.results.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import siemload.database.TargetPlugin;
import siemload.results.RunResult;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.SearchResult;
import siemload.results.TargetRecord;
import siemload.results.report.Report.Line;
import siemload.results.statistics.PercentileIntervals;

/** What was run, in one sentence. Stateless. */
final class RunHeadline {
    private static final double P95 = 0.95;

    private RunHeadline() {}

    /**
     * What users do in a run: they search events, or execute statements of a scenario.
     *
     * @param due what a user was to do when its response time began
     */
    record Words(String search, String searches, String due) {
        static Words of(RunResult run) {
            if (run.asksStatements()) {
                return new Words("statement", "statements", "the user was due to send the statement");
            }
            String who = run.identity().dataset().wasThereBefore() ? "user" : "analyst";
            return new Words("search", "searches", "the " + who + " was due to search");
        }
    }

    static String of(RunResult run) {
        if (run.hasStepsOnly()) {
            return stepByStep(run);
        }
        TargetRecord target = run.identity().target();
        StringBuilder text = new StringBuilder();
        text.append(format(
                "%s %s on %s %s for %s",
                who(run),
                what(run.identity().dataset()),
                database(target),
                target.version(),
                seconds(run.identity().measuredSeconds())));
        if (run.measured().feeder().eventsPerSecond() > 0) {
            text.append(format(
                    ", while a feeder inserted %,.0f events a second",
                    run.measured().feeder().achievedEventsPerSecond()));
        }
        return text.append('.').toString();
    }

    /**
     * What to keep in mind of numbers that nothing speaks against, a line each: lines of a recording that were left out, and too few searches
     * for percentiles at all, or for objectives.
     */
    static List<Line> reservations(RunResult run) {
        List<Line> reservations = new ArrayList<>();
        run.identity().dataset().leftOut().forEach(lines -> reservations.add(new Line("left out", lines)));
        few(run).forEach(few -> reservations.add(new Line("few", few)));
        return reservations;
    }

    /** The same in a few words that follow a verdict; empty where there is nothing. */
    static String but(RunResult run) {
        List<String> but = new ArrayList<>();
        if (!few(run).isEmpty()) {
            but.add("few");
        }
        if (!run.identity().dataset().leftOut().isEmpty()) {
            but.add("lines of the recording were left out");
        }
        return but.isEmpty() ? "" : ", but " + String.join(", and ", but);
    }

    private static List<String> few(RunResult run) {
        if (run.hasStepsOnly()) {
            return List.of();
        }
        Words words = Words.of(run);
        List<String> few = new ArrayList<>();
        long count = run.measured().searches().stream()
                .mapToLong(SearchResult::count)
                .sum();
        long fewest = PercentileIntervals.fewest(P95);
        if (count < fewest) {
            few.add(format(
                    "%d %s in all: p95 takes %d of each kind",
                    count, count == 1 ? words.search() : words.searches(), fewest));
        }
        long undecided =
                run.objectives().stream().filter(ObjectiveResult::hasTooFew).count();
        if (undecided > 0) {
            few.add(format(
                    "too few %s to decide %d of %d objectives",
                    words.searches(), undecided, run.objectives().size()));
        }
        return few;
    }

    private static String what(RunResult.DatasetRecord dataset) {
        if (dataset.wasThereBefore()) {
            return dataset.events() == 0
                    ? "executed statements on existing data"
                    : format("searched %,d events that were there before", dataset.events());
        }
        return format("searched %,d events of %s", dataset.events(), dataset.name());
    }

    private static String stepByStep(RunResult run) {
        TargetRecord target = run.identity().target();
        return format(
                "The procedure %s took %s for its %,d %s with %,d events of %s on %s %s.",
                run.identity().scenario(),
                seconds(run.identity().measuredSeconds()),
                run.steps().size(),
                run.steps().size() == 1 ? "step" : "steps",
                run.identity().dataset().events(),
                run.identity().dataset().name(),
                database(target),
                target.version());
    }

    /** Of one that is not on this class path the results know the id alone. */
    private static String database(TargetRecord target) {
        return TargetPlugin.find(target.id()).map(TargetPlugin::name).orElse(target.id());
    }

    /** The variant under test. */
    static String variant(RunResult run) {
        TargetRecord target = run.identity().target();
        String variant = target.variant().label();
        return target.provision()
                + (run.identity().dataset().wasThereBefore() ? ", read-only" : "")
                + (variant.isEmpty() ? "" : ", " + variant);
    }

    /** Closed groups have users; of open ones only the arrivals are known. */
    private static String who(RunResult run) {
        long users = 0;
        for (RunResult.SettingRecord setting : run.identity().settings()) {
            if (setting.path().matches("analysts\\[.*]\\.users")
                    && setting.value().matches("\\d{1,9}")) {
                users += Long.parseLong(setting.value());
            }
        }
        if (users == 0) {
            return run.identity().dataset().wasThereBefore() ? "Users" : "Analysts";
        }
        String who = run.identity().dataset().wasThereBefore() ? "user" : "analyst";
        return users == 1 ? "One " + who : format("%,d %ss", users, who);
    }

    private static String seconds(double seconds) {
        return seconds < 120
                ? format("%.1f s", seconds)
                : format("%d min %02d s", (long) seconds / 60, (long) seconds % 60);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
