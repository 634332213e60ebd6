package siemload.database;

import java.util.Optional;
import siemload.config.Choices.Labelled;
import siemload.database.SearchSession.Plan.Access.Kind;
import siemload.query.Criterion;
import siemload.query.CriterionKey;
import siemload.query.Search;

/** The hint for the optimiser; each name means the same on every target. A search by id gets no hint. */
public enum Hint implements Labelled {
    /** No hint; the default. */
    NONE,
    /** Read the whole table; with a single worker if the database lets siemload choose the number of workers. */
    FULL_SCAN,
    /** Read the whole table with several workers. */
    FULL_SCAN_PARALLEL,
    /** Use the index of a searched field, or the index of the detect time if no other searched field has an index. */
    INDEX,
    /** Use the index of the detect time. */
    TIME_INDEX,
    /** Return the first rows as early as possible. */
    FIRST_ROWS;

    /** Returns whether a search can get a hint: every search except one by id. */
    public static boolean concerns(Search search) {
        return search.criteria().stream().noneMatch(criterion -> criterion.isAbout(CriterionKey.ID));
    }

    /** Returns whether an index other than the time index could answer the search. */
    public static boolean hasIndexedField(Search search) {
        return search.criteria().stream().anyMatch(criterion -> !hasNoIndex(criterion));
    }

    /** Descriptions, port ranges and missing fields never have an index; a choice of alternatives would need an index for each. */
    private static boolean hasNoIndex(Criterion criterion) {
        return criterion.isAbout(CriterionKey.TEXT)
                || criterion.isAbout(CriterionKey.DESCRIPTION)
                || (criterion instanceof Criterion.PortUsed used && !used.isSingle())
                || criterion instanceof Criterion.Missing
                || criterion instanceof Criterion.AnyOf;
    }

    /** Returns why this hint cannot work with an index set, whatever the database; empty if the hint can work. */
    public Optional<String> conflictWith(IndexSet indexes) {
        boolean noFields = indexes == IndexSet.NONE || indexes == IndexSet.TIME;
        if (this == INDEX && noFields) {
            return Optional.of("hint 'index' needs indexes of fields, not indexes '" + indexes.label()
                    + "' (allowed: fields, compound, native)");
        }
        if (this == TIME_INDEX && indexes == IndexSet.NONE) {
            return Optional.of("hint 'time-index' needs an index of the detect time, not indexes 'none'"
                    + " (allowed: time, fields, compound, native)");
        }
        return Optional.empty();
    }

    /** Explains from a search's plan that this hint had no effect; empty if the hint had an effect, or if no plan could show its effect. */
    public Optional<String> missedBy(Search search, SearchSession.Plan plan) {
        if (!concerns(search)) {
            return Optional.empty();
        }
        boolean took = switch (this) {
            case NONE, FIRST_ROWS -> true;
            case FULL_SCAN -> isFullScan(plan);
            case FULL_SCAN_PARALLEL -> isFullScan(plan) && plan.parallel();
            case INDEX -> !plan.uses(Kind.TABLE) && usesFieldIndex(search, plan);
            case TIME_INDEX -> !plan.uses(Kind.TABLE) && !plan.uses(Kind.FIELD_INDEX) && plan.uses(Kind.TIME_INDEX);
        };
        if (took) {
            return this == NONE ? Optional.empty() : plan.refusedHint();
        }
        return Optional.of("the plan is: " + plan.shape()
                + plan.refusedHint().map(why -> " (" + why + ")").orElse(""));
    }

    private static boolean usesFieldIndex(Search search, SearchSession.Plan plan) {
        if (!hasIndexedField(search)) {
            return plan.uses(Kind.TIME_INDEX);
        }
        // Ports have an index only in some sets of some databases.
        boolean hasPortsAlone = search.criteria().stream()
                .allMatch(criterion -> criterion instanceof Criterion.PortUsed || hasNoIndex(criterion));
        return plan.uses(Kind.FIELD_INDEX) || (hasPortsAlone && plan.uses(Kind.TIME_INDEX));
    }

    private static boolean isFullScan(SearchSession.Plan plan) {
        return plan.uses(Kind.TABLE) && !plan.uses(Kind.TIME_INDEX) && !plan.uses(Kind.FIELD_INDEX);
    }
}
