package siemload.results.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import siemload.database.TargetPlugin;
import siemload.results.RunResult;
import siemload.results.RunResult.DatasetRecord;
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
            return new Words("search", "searches", "the " + user(run) + " was due to search");
        }
    }

    private static String user(RunResult run) {
        return run.identity().dataset().wasThereBefore() ? "user" : "analyst";
    }

    static String of(RunResult run) {
        DatasetRecord dataset = run.identity().dataset();
        TargetRecord target = run.identity().target();
        // Of one that is not on this class path the results know the id alone.
        String database =
                TargetPlugin.find(target.id()).map(TargetPlugin::name).orElse(target.id()) + " " + target.version();
        double seconds = run.identity().measuredSeconds();
        String took = seconds < 120
                ? format("%.1f s", seconds)
                : format("%d min %02d s", (long) seconds / 60, (long) seconds % 60);
        if (run.hasStepsOnly()) {
            return format(
                    "The procedure %s took %s for its %s with %,d events of %s on %s.",
                    run.identity().scenario(),
                    took,
                    Amounts.count(run.steps().size(), "step"),
                    dataset.events(),
                    dataset.name(),
                    database);
        }
        String did = !dataset.wasThereBefore()
                ? format("searched %,d events of %s", dataset.events(), dataset.name())
                : dataset.events() == 0
                        ? "executed statements on existing data"
                        : format("searched %,d events that were there before", dataset.events());
        String feeder = run.measured().feeder().eventsPerSecond() > 0
                ? format(
                        ", while a feeder inserted %,.0f events a second",
                        run.measured().feeder().achievedEventsPerSecond())
                : "";
        return format("%s %s on %s for %s%s.", who(run), did, database, took, feeder);
    }

    /** Closed groups have users; of open ones only the arrivals are known. */
    private static String who(RunResult run) {
        String user = user(run);
        long users = run.identity().settings().stream()
                .filter(setting -> setting.path().matches("analysts\\[.*]\\.users")
                        && setting.value().matches("\\d{1,9}"))
                .mapToLong(setting -> Long.parseLong(setting.value()))
                .sum();
        return users == 1
                ? "One " + user
                : users == 0
                        ? user.substring(0, 1).toUpperCase(Locale.ROOT) + user.substring(1) + "s"
                        : Amounts.count(users, user);
    }

    /** The variant under test. */
    static String variant(RunResult run) {
        TargetRecord target = run.identity().target();
        String variant = target.variant().label();
        return target.provision()
                + (run.identity().dataset().wasThereBefore() ? ", read-only" : "")
                + (variant.isEmpty() ? "" : ", " + variant);
    }

    /**
     * What to keep in mind of numbers that nothing speaks against, a line each: lines of a recording that were left out, and too few searches
     * for percentiles at all, or for objectives.
     */
    static List<Line> reservations(RunResult run) {
        List<Line> reservations = new ArrayList<>();
        run.identity().dataset().leftOut().forEach(lines -> reservations.add(new Line("left out", lines)));
        Words words = Words.of(run);
        long count = run.measured().searches().stream()
                .mapToLong(SearchResult::count)
                .sum();
        long fewest = PercentileIntervals.fewest(P95);
        if (count < fewest && !run.hasStepsOnly()) {
            String all = format("%d %s in all: ", count, count == 1 ? words.search() : words.searches());
            reservations.add(new Line("few", all + format("p95 takes %d of each kind", fewest)));
        }
        long undecided =
                run.objectives().stream().filter(ObjectiveResult::hasTooFew).count();
        if (undecided > 0) {
            int all = run.objectives().size();
            reservations.add(new Line(
                    "few", format("too few %s to decide %d of %d objectives", words.searches(), undecided, all)));
        }
        return reservations;
    }

    /** The same in a few words that follow a verdict; empty where there is nothing. */
    static String but(RunResult run) {
        List<String> but = reservations(run).stream()
                .map(line -> line.label().equals("few") ? "few" : "lines of the recording were left out")
                .distinct()
                .sorted()
                .toList();
        return but.isEmpty() ? "" : ", but " + String.join(", and ", but);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
