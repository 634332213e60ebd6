package siemload.run;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import siemload.config.Durations;
import siemload.measure.LatencyRecorder;
import siemload.measure.MicrosHistogram;
import siemload.measure.SearchStatistics;
import siemload.query.PageClass;
import siemload.results.Disturbance;
import siemload.results.FeederResult;
import siemload.results.MicrosInterval;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.TimeMetric;
import siemload.results.statistics.PercentileIntervals;
import siemload.results.statistics.RunIntervals;
import siemload.scenario.Objective;

/**
 * Holds a run to its objectives. The percentiles of a search are those of all its pages together, from merged
 * histograms; exact counts are not pages. An objective of a percentile is decided where all of its 95 % interval lies on
 * one side of the limit. What has no interval is exact of what was measured; but a mean takes as many searches as a median, and an
 * error ratio so many that one failure does not decide it.
 *
 * @param intervals of the percentiles that objectives are about
 * @param disturbance may have made times longer than they would have been: what misses its limit for that is undecided
 * @param seconds how long was measured
 */
record Objectives(
        LatencyRecorder searches,
        FeederResult feeder,
        RunIntervals intervals,
        Disturbance disturbance,
        double seconds) {
    private static final String LONGER = ": measure longer (-Dduration)";

    List<ObjectiveResult> check(List<Objective> objectives) {
        return objectives.stream().map(this::check).toList();
    }

    private ObjectiveResult check(Objective objective) {
        if (objective.subject().equals("feeder")) {
            return exact(objective, feeder.achievedRatio(), ratio(feeder.achievedRatio()));
        }
        SearchStatistics statistics = searches.merged(key -> key.page() != PageClass.COUNT
                && (objective.subject().equals("all") || key.search().name().equals(objective.subject())));
        if (objective.metric().equals("errorRatio")) {
            return checkErrors(objective, statistics);
        }
        MicrosHistogram times = statistics.times(metric(objective.metric()));
        double without = 1 - (double) times.count() / Math.max(1, statistics.count());
        if (statistics.count() > 0 && isBeyondAnswers(objective, without)) {
            return ObjectiveResult.decided(
                    objective.text(), false, String.format(Locale.ROOT, "%.1f %% were not answered", without * 100));
        }
        return checkTimes(objective, times);
    }

    /**
     * Every failure is counted. But where fewer searches were measured than make the limit, none of them may fail: 1 % takes
     * 100 of them.
     */
    private ObjectiveResult checkErrors(Objective objective, SearchStatistics statistics) {
        long count = statistics.count();
        double errors = count == 0 ? 0 : 1 - (double) statistics.count(Outcome.OK) / count;
        boolean met = objective.comparison().holds(errors, objective.limit());
        boolean isLow = objective.comparison().holds(0, objective.limit());
        long fewest = isLow && objective.limit() > 0 ? (long) Math.ceil(1 / objective.limit()) : 1;
        if (count < fewest && (met || count == 0)) {
            return tooFew(objective, met, count, fewest, count == 0 ? "nothing" : ratio(errors));
        }
        return exact(objective, errors, ratio(errors));
    }

    /** Whether so many searches have no such time that their statistic lies among these. */
    private static boolean isBeyondAnswers(Objective objective, double without) {
        if (metric(objective.metric()) == TimeMetric.RESPONSE_TIME) {
            return without == 1; // Those that somebody gave up have one.
        }
        double mayMiss = switch (objective.statistic()) {
            case "p50" -> 0.5;
            case "p90" -> 0.1;
            case "p95" -> 0.05;
            case "p99", "mean" -> 0.01;
            case "p999" -> 0.001;
            case "max" -> 0;
            default -> 1;
        };
        return without > mayMiss || without == 1;
    }

    private ObjectiveResult checkTimes(Objective objective, MicrosHistogram times) {
        double micros = statistic(times.summary(), objective.statistic());
        boolean met = times.count() > 0 && objective.comparison().holds(micros, objective.limit());
        Optional<MicrosInterval> interval = Optional.ofNullable(
                intervals.of(metric(objective.metric()), objective.subject()).get(objective.statistic()));
        String measured = times.count() == 0
                ? "nothing"
                : seconds(micros) + interval.map(Objectives::words).orElse("");
        boolean decided = interval.filter(known -> isDecided(objective, known)).isPresent();
        if (decided && (met || !mayBeDisturbed(objective, interval.orElseThrow()))) {
            return ObjectiveResult.decided(objective.text(), met, measured);
        }
        long fewest = fewest(objective.statistic());
        if (times.count() < fewest) {
            return tooFew(objective, met, times.count(), fewest, measured);
        }
        if (objective.statistic().matches("min|mean|max")) {
            return exact(objective, micros, measured);
        }
        String reason = "there is no interval of less than 4 s";
        if (decided) {
            reason = "without other programs it may be met: " + disturbance.sentence();
        } else if (interval.isPresent()) {
            reason = interval.orElseThrow().hasNoHighEnd()
                    ? String.format(
                            Locale.ROOT,
                            "searches of the same second share its load, so that %s takes more than the %,d that were measured",
                            objective.statistic(),
                            times.count())
                    : "the limit lies within the 95 % interval";
        }
        return new ObjectiveResult(
                objective.text(),
                met,
                ObjectiveResult.Outcome.UNDECIDED,
                measured,
                decided ? reason : reason + LONGER,
                0);
    }

    /** How many searches a statistic takes at least. */
    private static long fewest(String statistic) {
        return switch (statistic) {
            case "min", "max" -> 1;
            case "mean", "p50" -> PercentileIntervals.fewest(0.5);
            case "p90" -> PercentileIntervals.fewest(0.9);
            case "p95" -> PercentileIntervals.fewest(0.95);
            case "p99" -> PercentileIntervals.fewest(0.99);
            case "p999" -> PercentileIntervals.fewest(0.999);
            default -> throw new IllegalArgumentException("unknown statistic " + statistic);
        };
    }

    /** Whether all of an interval is on one side of the limit. */
    private static boolean isDecided(Objective objective, MicrosInterval interval) {
        double high = interval.hasNoHighEnd() ? Double.POSITIVE_INFINITY : (double) interval.high();
        return objective.comparison().holds((double) interval.low(), objective.limit())
                == objective.comparison().holds(high, objective.limit());
    }

    /** Whether an objective might be met if nobody else had used the machine. */
    private boolean mayBeDisturbed(Objective objective, MicrosInterval interval) {
        double low = interval.low() / (1 + disturbance.percentilesOffPercent() / 100);
        return disturbance.seen() && objective.comparison().holds(low, objective.limit());
    }

    private ObjectiveResult tooFew(Objective objective, boolean met, long count, long fewest, String measured) {
        String what = objective.statistic().isEmpty() ? "this limit" : objective.statistic();
        String were = count == 0
                ? "none was measured"
                : String.format(
                        Locale.ROOT,
                        "%,d measured: %,d more, about -Dduration=%s",
                        count,
                        fewest - count,
                        duration(fewest * seconds / count));
        return new ObjectiveResult(
                objective.text(),
                met,
                ObjectiveResult.Outcome.UNDECIDED,
                measured,
                String.format(Locale.ROOT, "%s takes %,d searches, %s", what, fewest, were),
                fewest - count);
    }

    /** Rounded up to what people would write. */
    private static String duration(double seconds) {
        long unit = seconds <= 120 ? 10 : 60;
        return Durations.format(Duration.ofSeconds((long) Math.ceil(seconds / unit) * unit));
    }

    private static ObjectiveResult exact(Objective objective, double value, String measured) {
        return ObjectiveResult.decided(
                objective.text(), objective.comparison().holds(value, objective.limit()), measured);
    }

    /** Where a percentile may lie. */
    private static String words(MicrosInterval interval) {
        return ", 95 %: " + seconds((double) interval.low())
                + (interval.hasNoHighEnd() ? " or more" : " to " + seconds((double) interval.high()));
    }

    private static TimeMetric metric(String metric) {
        return switch (metric) {
            case "responseTime" -> TimeMetric.RESPONSE_TIME;
            case "serviceTime", "lastEvent" -> TimeMetric.SERVICE_TIME;
            case "workerWait" -> TimeMetric.WORKER_WAIT;
            case "firstEvent" -> TimeMetric.FIRST_EVENT;
            default -> throw new IllegalArgumentException("unknown metric " + metric);
        };
    }

    private static double statistic(MicrosSummary summary, String statistic) {
        return switch (statistic) {
            case "min" -> summary.min();
            case "mean" -> summary.mean();
            case "p50" -> summary.p50();
            case "p90" -> summary.p90();
            case "p95" -> summary.p95();
            case "p99" -> summary.p99();
            case "p999" -> summary.p999();
            case "max" -> summary.max();
            default -> throw new IllegalArgumentException("unknown statistic " + statistic);
        };
    }

    private static String seconds(double micros) {
        return micros < 1_000_000
                ? String.format(Locale.ROOT, "%.1fms", micros / 1e3)
                : String.format(Locale.ROOT, "%.2fs", micros / 1e6);
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }
}
