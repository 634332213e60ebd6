package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import siemload.database.SearchSession.Plan;
import siemload.database.oracle.OraclePlugin.OracleDialect;

/** Plans in the form that Oracle's manual shows for DBMS_XPLAN.DISPLAY; no server was available to print them. */
final class PlanTextTest {

    @Test
    void aFirstPageFromTheTimeIndexIsNotSorted() {
        Plan plan = read("""
            Plan hash value: 1234567890

            ---------------------------------------------------------------------------------------------------------
            | Id  | Operation                                   | Name            | Rows  | Cost (%CPU)| Pstart| Pstop |
            ---------------------------------------------------------------------------------------------------------
            |   0 | SELECT STATEMENT                            |                 |   100 |     9   (0)|       |       |
            |*  1 |  VIEW                                       |                 |   100 |     9   (0)|       |       |
            |*  2 |   WINDOW NOSORT STOPKEY                     |                 |   101 |     9   (0)|       |       |
            |*  3 |    FILTER                                   |                 |       |            |       |       |
            |   4 |     PARTITION RANGE ITERATOR                |                 |   101 |     9   (0)|    10 |     4 |
            |   5 |      TABLE ACCESS BY LOCAL INDEX ROWID      | SL_1_EVENT      |   101 |     9   (0)|    10 |     4 |
            |*  6 |       INDEX RANGE SCAN DESCENDING           | SL_1_EVENT_TIME |   101 |     3   (0)|    10 |     4 |
            |*  7 |     INDEX RANGE SCAN                        | SL_1_LIST_EVENT |     1 |     1   (0)|       |       |
            ---------------------------------------------------------------------------------------------------------

            Predicate Information (identified by operation id):
            ---------------------------------------------------

               6 - access("E"."END_TIME">=TIMESTAMP' 2016-06-06 12:00:00.000000000')
            """);
        assertThat(plan.shape()).isEqualTo("time index event_time");
        assertThat(plan.refusedHint()).isEmpty();
    }

    @Test
    void aBitmapOfTwoIndexesIsTwoAccesses() {
        Plan plan = read("""
            |   0 | SELECT STATEMENT                             |                   |     1 |
            |   1 |  SORT ORDER BY                               |                   |     1 |
            |   2 |   TABLE ACCESS BY LOCAL INDEX ROWID BATCHED  | SL_1_EVENT        |     1 |
            |   3 |    BITMAP CONVERSION TO ROWIDS               |                   |       |
            |   4 |     BITMAP OR                                |                   |       |
            |   5 |      BITMAP CONVERSION FROM ROWIDS           |                   |       |
            |*  6 |       INDEX RANGE SCAN                       | SL_1_EVENT_SOURCE |       |
            |   7 |      BITMAP CONVERSION FROM ROWIDS           |                   |       |
            |*  8 |       INDEX RANGE SCAN                       | SL_1_EVENT_TARGET |       |
            """);
        assertThat(plan.shape()).isEqualTo("field index event_source + field index event_target, sorted");
    }

    @Test
    void hintsThatWereNotFollowedAreToldWithTheReason() {
        Plan plan = read("""
            |   0 | SELECT STATEMENT   |            |  1  |
            |*  1 |  TABLE ACCESS FULL | SL_1_EVENT |  1  |

            Hint Report (identified by operation id / Query Block Name / Object Alias):
            Total hints for statement: 3 (U - Unused (1), N - Unresolved (1), E - Syntax error (1))
            ---------------------------------------------------------------------------

               1 -  SEL$1
                     E -  FIRST_ROW
                     N -  FULL(x)

               1 -  SEL$1 / "E"@"SEL$1"
                     U -  INDEX(e SL_1_EVENT_NAME) / index specified in the hint doesn't exist
            """);
        assertThat(plan.refusedHint())
                .hasValue("an error in the hint: FIRST_ROW; the hint names an unknown object: FULL(x);"
                        + " the hint was not used: INDEX(e EVENT_NAME) / index specified in the hint doesn't exist");
    }

    private static Plan read(String text) {
        return OracleDialect.plan(text.lines().toList(), "SL_1");
    }
}
