package siemload.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import siemload.config.Durations;
import siemload.database.Counters.StatementTime;
import siemload.measure.monitor.RunMonitor.StatementTimes;
import siemload.results.FeederResult;
import siemload.results.LoggedInterval;
import siemload.results.MicrosSummary;
import siemload.results.MicrosSummary.MicrosInterval;
import siemload.results.Outcome;
import siemload.results.ResultValue;
import siemload.results.RunFile.TimeMetric;
import siemload.results.RunResult.Disturbance;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResult.SearchResult;
import siemload.results.RunResult.ServerTimes;
import siemload.results.SearchKey;
import siemload.results.statistics.PercentileIntervals;
import siemload.scenario.Objective;

/** Calculations from the measurements of a load. Stateless. */
final class RunOutcome {
    private RunOutcome() {}

    /**
     * The 95 % intervals of all percentiles of a run, from its logs. Each kind of search has them, each search with all its pages, all
     * searches together, and the feeder's batches. Immutable.
     *
     * @param groups the intervals by the kind of time, and by the tag of a kind of search, the name of a search, {@code all}, or an empty
     *     text for batches
     */
    record RunIntervals(Map<TimeMetric, Map<String, Map<String, MicrosInterval>>> groups) {
        private static final Map<String, TimeMetric> OF_SEARCHES = Map.of(
                "responseTimeMicros", TimeMetric.RESPONSE_TIME,
                "serviceTimeMicros", TimeMetric.SERVICE_TIME,
                "latenessMicros", TimeMetric.SEARCH_LATENESS,
                "workerWaitMicros", TimeMetric.WORKER_WAIT,
                "firstEventMicros", TimeMetric.FIRST_EVENT,
                "lastEventMicros", TimeMetric.SERVICE_TIME);

        /** Reads the logs of a run; unreadable logs give no intervals. */
        static RunIntervals read(Path directory) {
            Map<TimeMetric, Map<String, Map<String, MicrosInterval>>> groups = new EnumMap<>(TimeMetric.class);
            for (TimeMetric metric : TimeMetric.values()) {
                try {
                    groups.put(metric, PercentileIntervals.read(directory, metric, RunIntervals::groupsOf));
                } catch (IOException unreadable) {
                    groups.put(metric, Map.of());
                }
            }
            return new RunIntervals(groups);
        }

        /** Returns an interval's groups: exact counts are left out of the totals of a search and of all searches, as for objectives. */
        private static List<String> groupsOf(LoggedInterval interval) {
            String tag = interval.tag();
            return tag.isEmpty() || interval.isOfExactCounts() ? List.of(tag) : List.of(tag, interval.search(), "all");
        }

        /** Adds to each result of a search the search's intervals. */
        List<SearchResult> addedTo(List<SearchResult> searches) {
            return searches.stream()
                    .map(one -> {
                        boolean isTotal = one.kind().page().isEmpty();
                        return addedTo(
                                one, isTotal ? one.kind().name() : one.kind().tag(), OF_SEARCHES);
                    })
                    .toList();
        }

        /** Adds the intervals of a group to a result; {@code times} has the names of the result's times. */
        <T extends Record> T addedTo(T result, String group, Map<String, TimeMetric> times) {
            JsonNode tree = ResultValue.tree(result);
            Map<String, MicrosSummary> added = new HashMap<>();
            times.forEach((name, metric) -> added.put(
                    name,
                    ResultValue.value(tree.get(name), MicrosSummary.class)
                            .with(Objects.requireNonNull(groups.get(metric)).getOrDefault(group, Map.of()))));
            return ResultValue.with(result, added);
        }
    }

    /** Finds the searches of a run among the statements whose time the server has counted. Stateless. */
    static final class ServerShare {
        private ServerShare() {}

        /** Searches that share a statement, and all of their statements. */
        private record Group(List<SearchResult> searches, Set<String> statements) {}

        /**
         * Returns the server's mean time for the answered searches.
         *
         * @param counted the server's times over the measured phase
         */
        static ServerTimes of(StatementTimes counted, Map<SearchKey, Set<String>> names, List<SearchResult> searches) {
            if (!counted.source().untold().isEmpty()) {
                return new ServerTimes("", "", counted.source().untold(), List.of());
            }
            List<ServerTimes.Statement> statements = new ArrayList<>();
            for (Group group : groups(names, searches)) {
                StatementTime sum = StatementTime.NONE;
                for (String statement : group.statements) {
                    sum = sum.plus(counted.times().getOrDefault(statement, StatementTime.NONE));
                }
                long answered =
                        group.searches.stream().mapToLong(SearchResult::ok).sum();
                if (sum.executionNanos() > 0) {
                    double each = 1e3 * (sum.calls() > 0 ? sum.calls() : answered);
                    List<String> tags =
                            group.searches.stream().map(one -> one.kind().tag()).toList();
                    double planning = rounded(sum.planningNanos() / each);
                    double execution = rounded(sum.executionNanos() / each);
                    statements.add(new ServerTimes.Statement(tags, sum.calls(), planning, execution));
                }
            }
            return new ServerTimes(
                    counted.source().view(),
                    counted.source().covers(),
                    statements.isEmpty() ? "the server has counted none of the searches of this run" : "",
                    statements);
        }

        /** Groups searches that share a statement; groups that share a statement become one group. */
        private static List<Group> groups(Map<SearchKey, Set<String>> names, List<SearchResult> searches) {
            Map<String, Set<String>> byTag = new HashMap<>();
            names.forEach((kind, statements) -> byTag.put(kind.kind().tag(), statements));
            List<Group> groups = new ArrayList<>();
            for (SearchResult search : searches) {
                Set<String> own = byTag.getOrDefault(search.kind().tag(), Set.of());
                if (search.ok() > 0 && !own.isEmpty()) {
                    Group joined = new Group(new ArrayList<>(), new HashSet<>(own));
                    List<Group> shared = groups.stream()
                            .filter(group -> !Collections.disjoint(group.statements, own))
                            .toList();
                    shared.forEach(group -> joined.searches.addAll(group.searches));
                    shared.forEach(group -> joined.statements.addAll(group.statements));
                    joined.searches.add(search);
                    groups.removeAll(shared);
                    groups.add(joined);
                }
            }
            return groups;
        }

        /** Rounds to a nanosecond. */
        private static double rounded(double micros) {
            return Math.round(micros * 1e3) / 1e3;
        }
    }

    /**
     * Judges the objectives of a run. The percentiles of a search are those of all its pages together, from merged histograms, without
     * exact counts. An objective of a percentile is decided if its whole 95 % interval lies on one side of the limit. Other values are
     * exact, but a mean needs as many searches as a median, and an error ratio needs so many searches that one failure does not decide it.
     *
     * @param totals the totals of each search and of all searches, with the intervals of their percentiles
     * @param disturbance the influence of other programs, which may have made times longer: limits missed because of it are undecided
     * @param seconds the length of the measured phase
     */
    record Objectives(List<SearchResult> totals, FeederResult feeder, Disturbance disturbance, double seconds) {
        ObjectiveResult check(Objective objective) {
            if (objective.subject().equals("feeder")) {
                double reached = feeder.achievedRatio();
                return ObjectiveResult.decided(objective.text(), objective.holds(reached), ratio(reached));
            }
            Optional<SearchResult> measured = totals.stream()
                    .filter(total ->
                            total.kind().page().isEmpty() && total.kind().name().equals(objective.subject()))
                    .findFirst();
            long count = measured.map(SearchResult::count).orElse(0L);
            long ok = measured.map(SearchResult::ok).orElse(0L);
            if (objective.metric().equals("errorRatio")) {
                double errors = count == 0 ? 0 : 1 - (double) ok / count;
                boolean met = objective.holds(errors);
                // With fewer searches, a single failure would miss the limit: a limit of 1 % needs 100 searches.
                boolean isLow = objective.holds(0) && objective.limit() > 0;
                long fewest = isLow ? (long) Math.ceil(1 / objective.limit()) : 1;
                return count < fewest && (met || count == 0)
                        ? tooFew(objective, met, count, fewest, count == 0 ? "nothing" : ratio(errors))
                        : ObjectiveResult.decided(objective.text(), met, ratio(errors));
            }
            boolean isResponse = objective.metric().equals("responseTime");
            // Searches that were given up have a response time, too.
            long timed = ok
                    + (isResponse
                            ? measured.map(one -> Outcome.givenUp(one.errors())).orElse(0L)
                            : 0);
            double without = 1 - (double) timed / Math.max(1, count);
            double mayMiss = switch (objective.statistic()) {
                case "max" -> 0;
                case "mean" -> 0.01;
                default -> 1 - PercentileIntervals.SHARES.getOrDefault(objective.statistic(), 0.0);
            };
            if (count > 0 && (without == 1 || (!isResponse && without > mayMiss))) {
                String text = String.format(Locale.ROOT, "%.1f %% of the searches were not answered", without * 100);
                return ObjectiveResult.decided(objective.text(), false, text);
            }
            MicrosSummary times = measured.map(one -> ResultValue.tree(one).get(objective.metric() + "Micros"))
                    .map(tree -> ResultValue.value(tree, MicrosSummary.class))
                    .orElse(MicrosSummary.NONE);
            return checkTimes(objective, timed, times);
        }

        /** @param count how many searches have a time of this kind */
        private ObjectiveResult checkTimes(Objective objective, long count, MicrosSummary times) {
            String statistic = objective.statistic();
            double micros = ResultValue.tree(times).path(statistic).asDouble();
            boolean met = count > 0 && objective.holds(micros);
            Optional<MicrosInterval> interval =
                    Optional.ofNullable(times.intervals95().get(statistic));
            double low = interval.map(one -> (double) one.low()).orElse(0.0);
            double high = interval.filter(one -> !one.hasNoHighEnd())
                    .map(one -> (double) one.high())
                    .orElse(Double.POSITIVE_INFINITY);
            String end = high == Double.POSITIVE_INFINITY ? " or more" : " to " + seconds(high);
            String words = interval.isEmpty() ? "" : ", 95 %: " + seconds(low) + end;
            String measured = count == 0 ? "nothing" : seconds(micros) + words;
            // An objective is decided if the whole interval is on one side of the limit.
            boolean decided = interval.isPresent() && objective.holds(low) == objective.holds(high);
            // Without other programs on the machine the objective might be met.
            double alone = low / (1 + disturbance.percentilesOffPercent() / 100);
            if (decided && (met || !disturbance.seen() || !objective.holds(alone))) {
                return ObjectiveResult.decided(objective.text(), met, measured);
            }
            boolean isExtreme = statistic.matches("min|max");
            double share = PercentileIntervals.SHARES.getOrDefault(statistic, 0.5);
            long fewest = isExtreme ? 1 : PercentileIntervals.fewest(share);
            if (count < fewest) {
                return tooFew(objective, met, count, fewest, measured);
            }
            if (isExtreme || statistic.equals("mean")) {
                return ObjectiveResult.decided(objective.text(), objective.holds(micros), measured);
            }
            String why = interval.isPresent()
                    ? "the limit lies within the 95 % interval"
                    : "measurements of less than 4 s have no interval";
            String disturbed = "without other programs it may be met: " + disturbance.sentence();
            String reason = decided ? disturbed : why + ": measure longer (-Dduration)";
            return undecided(objective, met, measured, reason, 0);
        }

        private ObjectiveResult tooFew(Objective objective, boolean met, long count, long fewest, String measured) {
            String what = objective.statistic().isEmpty() ? "this limit" : objective.statistic();
            long needed = (long) Math.ceil(fewest * seconds / Math.max(1, count) / 10) * 10;
            String about = ": %,d more, about -Dduration=" + Durations.format(Duration.ofSeconds(needed));
            String more = count == 0 ? "" : about;
            String reason = String.format(
                    Locale.ROOT, "%s needs %,d searches, %,d measured" + more, what, fewest, count, fewest - count);
            return undecided(objective, met, measured, reason, fewest - count);
        }

        private static ObjectiveResult undecided(
                Objective objective, boolean met, String measured, String reason, long missing) {
            return new ObjectiveResult(
                    objective.text(), met, ObjectiveResult.Outcome.UNDECIDED, measured, reason, missing);
        }

        private static String seconds(double micros) {
            boolean ofMillis = micros < 1_000_000;
            String format = micros < 1_000 ? "%.0fus" : ofMillis ? "%.1fms" : "%.2fs";
            return String.format(Locale.ROOT, format, micros < 1_000 ? micros : ofMillis ? micros / 1e3 : micros / 1e6);
        }

        private static String ratio(double value) {
            return String.format(Locale.ROOT, "%.4f", value);
        }
    }
}
