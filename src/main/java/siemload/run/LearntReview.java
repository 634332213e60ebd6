package siemload.run;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
     * Nothing of statements that were written by hand, or that a replay takes from its recording.
     *
     * @param searches of the measured phase
     */
    static List<ReplayedStatement> of(List<StatementPlan> statements, List<SearchResult> searches) {
        return statements.stream()
                .flatMap(plan -> plan.then().stream()
                        .map(then -> compared(plan.statement().name().name(), then, searches)))
                .sorted(Comparator.comparingLong(ReplayedStatement::count)
                        .reversed()
                        .thenComparing(ReplayedStatement::name))
                .toList();
    }

    private static ReplayedStatement compared(String name, StatementThen then, List<SearchResult> searches) {
        Optional<SearchResult> now = searches.stream()
                .filter(search -> search.kind().name().equals(name))
                .findFirst();
        return ReplayedStatement.of(
                        name,
                        now.map(SearchResult::ok).orElse(0L),
                        now.map(SearchResult::ko).orElse(0L),
                        summary(then.times()),
                        now.map(search -> search.times().serviceTimeMicros()).orElse(MicrosSummary.NONE))
                .with(plansThen(then.plans()));
    }

    private static MicrosSummary summary(StatementThen.Times times) {
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
