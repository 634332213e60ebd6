package siemload.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import siemload.results.MicrosSummary;
import siemload.results.PlanThen;
import siemload.results.ReplayedStatement;
import siemload.results.SearchResult;
import siemload.results.StatementMeans;
import siemload.scenario.StatementPlan;
import siemload.scenario.StatementThen;
import siemload.scenario.replay.RecordedPlan;

/** Then and now of the statements of a scenario that was learnt from a log, or from counts. Stateless. */
final class LearntReview {
    private LearntReview() {}

    /**
     * Those of a log. Nothing of statements that were written by hand, or that a replay takes from its recording.
     *
     * @param searches of the measured phase
     */
    static List<ReplayedStatement> of(List<StatementPlan> statements, List<SearchResult> searches) {
        List<ReplayedStatement> compared = new ArrayList<>();
        for (StatementPlan plan : statements) {
            if (timesThen(plan) instanceof StatementThen.Logged logged) {
                Now now = Now.of(plan, searches);
                compared.add(ReplayedStatement.of(now.name, now.answered, now.failed, summary(logged), now.serviceTimes)
                        .with(plansThen(plan.then().orElseThrow().plans())));
            }
        }
        compared.sort(
                Comparator.comparingLong(ReplayedStatement::count).reversed().thenComparing(ReplayedStatement::name));
        return compared;
    }

    /** Those of counts, which have means alone. */
    static List<StatementMeans> ofCounts(List<StatementPlan> statements, List<SearchResult> searches) {
        List<StatementMeans> compared = new ArrayList<>();
        for (StatementPlan plan : statements) {
            if (timesThen(plan) instanceof StatementThen.Counted counted) {
                Now now = Now.of(plan, searches);
                compared.add(StatementMeans.of(now.name, now.answered, now.failed, means(counted), now.serviceTimes));
            }
        }
        compared.sort(Comparator.comparingLong(StatementMeans::count).reversed().thenComparing(StatementMeans::name));
        return compared;
    }

    /** Null, which is an instance of nothing, where nobody has learnt it. */
    private static StatementThen.@Nullable Times timesThen(StatementPlan plan) {
        return plan.then().map(StatementThen::times).orElse(null);
    }

    /** What a run has measured of a statement; nothing where it was not asked. */
    private record Now(String name, long answered, long failed, MicrosSummary serviceTimes) {
        static Now of(StatementPlan plan, List<SearchResult> searches) {
            String name = plan.statement().name().name();
            return searches.stream()
                    .filter(search -> search.kind().name().equals(name))
                    .findFirst()
                    .map(search -> new Now(
                            name, search.ok(), search.ko(), search.times().serviceTimeMicros()))
                    .orElse(new Now(name, 0, 0, MicrosSummary.NONE));
        }
    }

    private static StatementMeans.CountedTimes means(StatementThen.Counted counted) {
        return new StatementMeans.CountedTimes(
                counted.calls(),
                counted.mean(),
                counted.stddev().orElse(-1),
                counted.min().orElse(-1),
                counted.max().orElse(-1));
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
