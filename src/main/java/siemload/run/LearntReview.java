package siemload.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import siemload.results.MicrosSummary;
import siemload.results.PlanThen;
import siemload.results.ReplayedStatement;
import siemload.results.SearchResult;
import siemload.scenario.StatementPlan;
import siemload.scenario.StatementThen;
import siemload.scenario.replay.RecordedPlan;

/** Then and now of the statements of a scenario that was learnt from a log. Stateless. */
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
            if (plan.then().isPresent()) {
                StatementThen then = plan.then().orElseThrow();
                Now now = Now.of(plan, searches);
                compared.add(ReplayedStatement.of(
                                now.name, now.answered, now.failed, summary(then.times()), now.serviceTimes)
                        .with(plansThen(then.plans())));
            }
        }
        compared.sort(
                Comparator.comparingLong(ReplayedStatement::count).reversed().thenComparing(ReplayedStatement::name));
        return compared;
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
