package siemload.database.postgresql.search;

import java.util.List;

/** What the text of a condition depends on. */
sealed interface ConditionShape permits ConditionShape.AnyOf, PostgresqlCondition.Kind {

    /** All conditions of at least one of these groups. */
    record AnyOf(List<List<ConditionShape>> groups) implements ConditionShape {}
}
