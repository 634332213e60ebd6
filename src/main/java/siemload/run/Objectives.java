package siemload.run;

import java.util.List;
import java.util.Locale;
import siemload.measure.LatencyRecorder;
import siemload.measure.SearchStatistics;
import siemload.query.PageClass;
import siemload.results.FeederResult;
import siemload.results.MicrosInterval;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.TimeMetric;
import siemload.results.statistics.RunIntervals;
import siemload.scenario.Objective;

/**
 * Holds a run to its objectives. The percentiles of a search are those of all its pages together, from merged
 * histograms; exact counts are not pages.
 *
 * @param intervals of the percentiles that objectives are about
 */
record Objectives(LatencyRecorder searches, FeederResult feeder, RunIntervals intervals) {
    List<ObjectiveResult> check(List<Objective> objectives) {
        return objectives.stream().map(this::check).toList();
    }

    private ObjectiveResult check(Objective objective) {
        if (objective.subject().equals("feeder")) {
            return result(objective, feeder.achievedRatio(), ratio(feeder.achievedRatio()));
        }
        SearchStatistics statistics = searches.merged(key -> key.page() != PageClass.COUNT
                && (objective.subject().equals("all") || key.search().name().equals(objective.subject())));
        if (statistics.count() == 0) {
            return ObjectiveResult.ofNothing(objective.text());
        }
        double errors = 1 - (double) statistics.count(Outcome.OK) / statistics.count();
        if (objective.metric().equals("errorRatio")) {
            return result(objective, errors, ratio(errors));
        }
        if (isBeyondAnswers(objective, errors)) {
            return new ObjectiveResult(
                    objective.text(), false, String.format(Locale.ROOT, "%.1f %% were not answered", errors * 100));
        }
        double micros = statistic(statistics.times(metric(objective.metric())).summary(), objective.statistic());
        return result(objective, micros, seconds(micros) + interval(objective));
    }

    /** Whether so many searches were not answered that their statistic lies among these; only response times have them. */
    private static boolean isBeyondAnswers(Objective objective, double errors) {
        if (metric(objective.metric()) == TimeMetric.RESPONSE_TIME) {
            return false;
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
        return errors > mayMiss || errors == 1;
    }

    private static ObjectiveResult result(Objective objective, double value, String measured) {
        return new ObjectiveResult(objective.text(), objective.comparison().holds(value, objective.limit()), measured);
    }

    /** Where a percentile may lie; empty for what is none. */
    private String interval(Objective objective) {
        MicrosInterval interval =
                intervals.of(metric(objective.metric()), objective.subject()).get(objective.statistic());
        if (interval == null) {
            return "";
        }
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
