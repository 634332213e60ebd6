package siemload.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.config.Durations;
import siemload.config.Property;
import siemload.database.Counters.StatementTime;
import siemload.database.Provision;
import siemload.database.Replica;
import siemload.database.Store.DayRemoval;
import siemload.database.Transport;
import siemload.measure.LatencyRecorder;
import siemload.measure.MicrosHistogram;
import siemload.measure.RunClock;
import siemload.measure.SearchStatistics;
import siemload.measure.monitor.StatementTimes;
import siemload.query.PageClass;
import siemload.results.FeederResult;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.InjectorResult;
import siemload.results.LoggedInterval;
import siemload.results.MicrosSummary;
import siemload.results.MicrosSummary.MicrosInterval;
import siemload.results.Outcome;
import siemload.results.ReplayResult;
import siemload.results.ReplayResult.PlanThen;
import siemload.results.ReplayResult.ReplayedStatement;
import siemload.results.RunResult;
import siemload.results.RunResult.Disturbance;
import siemload.results.RunResult.LoadResults;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResult.ReplicaResult;
import siemload.results.RunResult.RetentionResult;
import siemload.results.RunResult.SteadyState;
import siemload.results.SearchKey;
import siemload.results.SearchResult;
import siemload.results.SearchResult.SearchTimes;
import siemload.results.ServerTimes;
import siemload.results.TimeMetric;
import siemload.results.Validity;
import siemload.results.statistics.PercentileIntervals;
import siemload.results.statistics.Steadiness;
import siemload.run.LoadRun.LoadLimits;
import siemload.run.LoadRun.ReadRouting.ReadStore;
import siemload.run.RunSetup.ServerState;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.DroppedDay;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.Objective;
import siemload.scenario.Scenario;
import siemload.scenario.StatementPlan;
import siemload.scenario.StatementThen;
import siemload.scenario.replay.RecordedPlan;

/** Turns what a load measured into results. Stateless. */
final class RunOutcome {
    private RunOutcome() {}

    /**
     * Judges a load, with all that was found before; writes run.json and the reports, and prints report.txt.
     *
     * @param statements what the server calls those of the searches
     * @param plans before the load and after it
     */
    static ResultFiles.End write(
            RunSetup setup,
            Map<SearchKey, Set<String>> statements,
            LoadOutcome measured,
            StoredEvents fed,
            List<RunResult.PlanRecord> plans,
            CheckedAnswers answers) {
        LoadOutcome.Ending ending = measured.end().ending();
        Scenario scenario = setup.plan().scenario();
        ServerState server = setup.serverState();
        double seconds = measured.end().seconds();
        SearchStatistics all = measured.searches().merged(key -> true);
        RunIntervals intervals = RunIntervals.read(setup.path());
        SteadyState steadyState = Steadiness.read(setup.path());
        FeederResult feeder =
                intervals.addedTo(measured.feeder().result(measured.end().nanos(), fed));
        List<SearchResult> searches = intervals.addedTo(measured.searches().results());
        List<ReplayResult> replays =
                ReplayReview.of(scenario, measured.searches().replays().results(), ending, setup.found());
        // That makes no run invalid: its reader must know of which part it speaks.
        if (steadyState.changed()) {
            setup.found().note(steadyState.sentence());
        }
        Validity verdict =
                RunValidity.of(measured, feeder, limits(setup), answers, setup.found(), plans, server.failure());
        RunResult result = new RunResult(
                RunResult.FORMAT_VERSION,
                setup.identity(server, seconds, ending),
                new RunResult.Measurement(
                        searches,
                        intervals.addedTo(measured.searches().totals()),
                        ServerShare.of(measured.seen().statements(), statements, searches),
                        feeder,
                        measured.generator().result(all.count(), seconds),
                        measured.seen().database(),
                        measured.seen().host(),
                        new RunResult.ProbeResults(
                                measured.probed().visibility().result(),
                                measured.probed().pagination()),
                        steadyState,
                        new LoadResults(
                                measured.searches()
                                        .ticks()
                                        .results(measured.end().nanos()),
                                measured.drop().stream()
                                        .map(drop ->
                                                retention(drop, measured.end().clock()))
                                        .toList(),
                                replays,
                                LearntReview.of(scenario.statements(), searches)),
                        new RunResult.PlaceResults(
                                measured.seen().hosts(),
                                measured.injected()
                                        .map(LoadOutcome.Injected::started)
                                        .orElse(0),
                                injectors(measured, verdict),
                                replicas(setup.bench().reading(), measured))),
                setup.environment().fingerprints(),
                plans,
                List.of(),
                measured.searches().inFlightAtEnd(),
                answers.counts(),
                new Objectives(measured.searches(), feeder, intervals, verdict.disturbance(), seconds)
                        .check(scenario.objectives()),
                verdict);
        boolean serverGone =
                server.isGone() || fed.lost() < 0 || (all.count() > 0 && all.count(Outcome.CONNECTION) == all.count());
        return ResultFiles.write(setup, result, ending, ResultFiles.Server.of(serverGone, measured.seen()));
    }

    private static RetentionResult retention(DroppedDay drop, RunClock clock) {
        return new RetentionResult(
                LocalDate.ofInstant(drop.day().from(), ZoneOffset.UTC).toString(),
                drop.removed()
                        .map(DayRemoval.Removed::means)
                        .map(means -> means.name().toLowerCase(Locale.ROOT))
                        .orElse(""),
                drop.failure(),
                Math.round(clock.second(drop.startNanos()) * 1000) / 1000.0,
                drop.took().toNanos() / 1000,
                drop.removed().map(removed -> removed.waited().toNanos() / 1000).orElse(0L));
    }

    /** With what they told of themselves before the run. */
    private static List<ReplicaResult> replicas(List<ReadStore> reading, LoadOutcome measured) {
        return measured.searches().replicas().results().stream()
                .map(one -> one.with(reading.get(one.replica() - 1)
                        .replica()
                        .map(Replica::about)
                        .orElse("")))
                .toList();
    }

    /** With the faults of the run that are theirs. */
    private static List<InjectorResult> injectors(LoadOutcome measured, Validity verdict) {
        return measured.injected().stream()
                .flatMap(injected -> injected.injectors().stream())
                .map(one -> one.with(verdict.faults().stream()
                        .filter(fault -> fault.startsWith(one.title() + " ") || fault.startsWith(one.title() + ":"))
                        .toList()))
                .toList();
    }

    /** A server in a container of ours may use so many CPUs and no more. */
    private static LoadLimits limits(RunSetup setup) {
        RunPlan plan = setup.plan();
        boolean inContainer = plan.choice().provision() == Provision.CONTAINER;
        return new LoadLimits(
                plan.workers(),
                plan.workers() >= plan.users(),
                inContainer ? plan.settings().value(Property.CONTAINER_CPUS) : 0,
                setup.bench().target().transport().equals(Transport.IN_PROCESS));
    }

    /**
     * The 95 % intervals of all percentiles of a run whose times are in its logs: of each kind of search, of each search with all
     * its pages, of all searches, and of the feeder's batches. Immutable.
     */
    static final class RunIntervals {
        /** No intervals, since the run has no logs. */
        public static final RunIntervals NONE = new RunIntervals(Map.of());

        private static final String ALL = "all";
        private static final String BATCHES = "";

        private final Map<TimeMetric, Map<String, Map<String, MicrosInterval>>> groups;

        private RunIntervals(Map<TimeMetric, Map<String, Map<String, MicrosInterval>>> groups) {
            this.groups = Collections.unmodifiableMap(groups);
        }

        /** Reads the logs of a run; what is in a log that cannot be read has no intervals. */
        public static RunIntervals read(Path directory) {
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

        /** Exact counts are left out of the totals of a search and of all, as objectives leave them out. */
        private static List<String> groupsOf(LoggedInterval interval) {
            String tag = interval.tag();
            return tag.isEmpty() || interval.isOfExactCounts() ? List.of(tag) : List.of(tag, interval.search(), ALL);
        }

        /**
         * The intervals of a search, with all its pages.
         *
         * @param subject its name, or {@code all}
         * @return by the name of the percentile, as {@link MicrosSummary} has it; none where there are no such times
         */
        public Map<String, MicrosInterval> of(TimeMetric metric, String subject) {
            return groups.getOrDefault(metric, Map.of()).getOrDefault(subject, Map.of());
        }

        /** Results of searches with their intervals. */
        public List<SearchResult> addedTo(List<SearchResult> searches) {
            return searches.stream().map(this::addedTo).toList();
        }

        private SearchResult addedTo(SearchResult search) {
            String tag = search.kind().page().isEmpty()
                    ? search.kind().name()
                    : search.kind().tag();
            SearchTimes times = search.times();
            return search.with(new SearchTimes(
                    added(times.responseTimeMicros(), TimeMetric.RESPONSE_TIME, tag),
                    added(times.serviceTimeMicros(), TimeMetric.SERVICE_TIME, tag),
                    added(times.latenessMicros(), TimeMetric.SEARCH_LATENESS, tag),
                    added(times.workerWaitMicros(), TimeMetric.WORKER_WAIT, tag),
                    added(times.firstEventMicros(), TimeMetric.FIRST_EVENT, tag),
                    added(times.lastEventMicros(), TimeMetric.SERVICE_TIME, tag)));
        }

        /** The feeder's result with its intervals. */
        public FeederResult addedTo(FeederResult feeder) {
            FeederResult.BatchTimes times = feeder.times();
            return feeder.with(new FeederResult.BatchTimes(
                    added(times.latenessMicros(), TimeMetric.FEEDER_LATENESS, BATCHES),
                    added(times.acknowledgeMicros(), TimeMetric.FEEDER_ACKNOWLEDGE, BATCHES)));
        }

        private MicrosSummary added(MicrosSummary times, TimeMetric metric, String group) {
            return times.with(of(metric, group));
        }
    }

    /** What has to be said of a replay: whether all of it was played, and what was not. Stateless. */
    static final class ReplayReview {
        private ReplayReview() {}

        /** The results with the plans of then. Of a run that replays nothing there is nothing to say. */
        static List<ReplayResult> of(
                Scenario scenario, List<ReplayResult> measured, LoadOutcome.Ending ending, Findings found) {
            boolean complete = ending == LoadOutcome.Ending.COMPLETE;
            for (ReplayResult result : measured) {
                String failure = result.failure();
                found.faultIf(!failure.isEmpty(), "the recording was not played to its end: %s", failure);
                found.faultIf(
                        complete && result.unreported() != 0,
                        "what became of %,d of %,d replayed statements is unknown",
                        result.unreported(),
                        result.due());
                found.noteIf(
                        result.leftOut() > 0,
                        "%,d of %,d recorded executions were left out, as replay.without or -Dsearches says",
                        result.leftOut(),
                        result.recorded());
                for (AnalystGroup group : scenario.analysts()) {
                    if (group.load() instanceof LoadModel.Replayed replayed) {
                        found.noteIf(
                                complete && failure.isEmpty() && result.notDue() > 0,
                                "the replay was cut after %s of %s: %,d of %,d recorded executions were due by then",
                                Durations.format(scenario.phases().measurement()),
                                Durations.format(replayed.length()),
                                result.due(),
                                result.recorded());
                    }
                }
            }
            Map<String, List<PlanThen>> plansThen = plansThen(scenario);
            return measured.stream().map(result -> result.with(plansThen)).toList();
        }

        /** As the recording has them, by the names of the statements. */
        private static Map<String, List<PlanThen>> plansThen(Scenario scenario) {
            Map<String, List<PlanThen>> plans = new HashMap<>();
            for (AnalystGroup group : scenario.analysts()) {
                if (group.load() instanceof LoadModel.Replayed replayed) {
                    replayed.recording()
                            .queries()
                            .forEach(query ->
                                    plans.put(query.statement().name().name(), LearntReview.plansThen(query.plans())));
                }
            }
            return plans;
        }
    }

    /** Finds the searches of a run among the statements that the server has counted the time of. Stateless. */
    static final class ServerShare {
        private ServerShare() {}

        /** Searches that share a statement, and all statements of theirs. */
        private record Group(List<SearchResult> searches, Set<String> statements) {}

        /**
         * The server's mean time for the searches that were answered.
         *
         * @param counted over the measured phase
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
                    statements.add(new ServerTimes.Statement(
                            tags,
                            sum.calls(),
                            rounded(sum.planningNanos() / each),
                            rounded(sum.executionNanos() / each)));
                }
            }
            return new ServerTimes(
                    counted.source().view(),
                    counted.source().covers(),
                    statements.isEmpty() ? "the server has counted none of the searches of this run" : "",
                    statements);
        }

        private static List<Group> groups(Map<SearchKey, Set<String>> names, List<SearchResult> searches) {
            Map<String, Set<String>> byTag = new LinkedHashMap<>();
            names.forEach((kind, statements) -> byTag.put(kind.tag(), statements));
            List<Group> groups = new ArrayList<>();
            for (SearchResult search : searches) {
                Set<String> statements = byTag.getOrDefault(search.kind().tag(), Set.of());
                if (search.ok() > 0 && !statements.isEmpty()) {
                    add(search, statements, groups);
                }
            }
            return groups;
        }

        /** To the group that it shares a statement with; several such groups become one. */
        private static void add(SearchResult search, Set<String> statements, List<Group> groups) {
            Group joined = new Group(new ArrayList<>(), new HashSet<>(statements));
            for (Group group : List.copyOf(groups)) {
                if (group.statements.stream().anyMatch(statements::contains)) {
                    groups.remove(group);
                    joined.searches.addAll(group.searches);
                    joined.statements.addAll(group.statements);
                }
            }
            joined.searches.add(search);
            groups.add(joined);
        }

        /** To a nanosecond. */
        private static double rounded(double micros) {
            return Math.round(micros * 1e3) / 1e3;
        }
    }

    /** Then and now of the statements of a scenario that was learnt from a log. Stateless. */
    static final class LearntReview {
        private LearntReview() {}

        /**
         * Those of a log. Nothing of statements that were written by hand, or that a replay takes from its recording.
         *
         * @param searches of the measured phase
         */
        static List<ReplayedStatement> of(List<StatementPlan> statements, List<SearchResult> searches) {
            List<ReplayedStatement> compared = new ArrayList<>();
            for (StatementPlan plan : statements) {
                if (plan.then().isPresent()) {
                    StatementThen then = plan.then().orElseThrow();
                    String name = plan.statement().name().name();
                    Optional<SearchResult> now = searches.stream()
                            .filter(search -> search.kind().name().equals(name))
                            .findFirst();
                    compared.add(ReplayedStatement.of(
                                    name,
                                    now.map(SearchResult::ok).orElse(0L),
                                    now.map(SearchResult::ko).orElse(0L),
                                    summary(then.times()),
                                    now.map(search -> search.times().serviceTimeMicros())
                                            .orElse(MicrosSummary.NONE))
                            .with(plansThen(then.plans())));
                }
            }
            compared.sort(Comparator.comparingLong(ReplayedStatement::count)
                    .reversed()
                    .thenComparing(ReplayedStatement::name));
            return compared;
        }

        private static MicrosSummary summary(StatementThen.Logged times) {
            return new MicrosSummary(
                    times.min(),
                    times.mean(),
                    times.p50(),
                    times.p90(),
                    times.p95(),
                    times.p99(),
                    times.p999(),
                    times.max());
        }

        /** As reports show them. */
        static List<PlanThen> plansThen(List<RecordedPlan> plans) {
            return plans.stream()
                    .map(plan -> new PlanThen(plan.shape(), plan.count()))
                    .toList();
        }
    }

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
        private static final Map<String, Double> PERCENTILES =
                Map.of("p50", 0.5, "p90", 0.9, "p95", 0.95, "p99", 0.99, "p999", 0.999);

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
                        objective.text(),
                        false,
                        String.format(Locale.ROOT, "%.1f %% were not answered", without * 100));
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
            String statistic = objective.statistic();
            double mayMiss = 1
                    - Map.of("max", 1.0, "mean", 0.99)
                            .getOrDefault(statistic, PERCENTILES.getOrDefault(statistic, 0.0));
            return without > mayMiss || without == 1;
        }

        private ObjectiveResult checkTimes(Objective objective, MicrosHistogram times) {
            double micros = statistic(times.summary(), objective.statistic());
            boolean met = times.count() > 0 && objective.comparison().holds(micros, objective.limit());
            Optional<MicrosInterval> interval = Optional.ofNullable(intervals
                    .of(metric(objective.metric()), objective.subject())
                    .get(objective.statistic()));
            String measured = times.count() == 0
                    ? "nothing"
                    : seconds(micros) + interval.map(Objectives::words).orElse("");
            boolean decided =
                    interval.filter(known -> isDecided(objective, known)).isPresent();
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
                                "searches of the same second share its load, so that %s takes more than the %,d that"
                                        + " were measured",
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
            return statistic.matches("min|max")
                    ? 1
                    : PercentileIntervals.fewest(PERCENTILES.getOrDefault(statistic, 0.5));
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
}
