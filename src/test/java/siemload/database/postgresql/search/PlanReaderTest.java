package siemload.database.postgresql.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;

final class PlanReaderTest {
    private static final PlanReader READER = new PlanReader(
            Map.of("events_detect_time", "detect_time", "events_lists", "category", "events_pkey", "id"));

    @Test
    void indexesAreToldApartByTheirFirstColumn() {
        Plan plan = read("{'Node Type': 'BitmapAnd', 'Plans': ["
                + "{'Node Type': 'Bitmap Index Scan', 'Index Name': 'events_lists'},"
                + "{'Node Type': 'Bitmap Index Scan', 'Index Name': 'events_detect_time'},"
                + "{'Node Type': 'Index Scan', 'Index Name': 'events_pkey', 'Relation Name': 'events'}]}");
        assertThat(plan.accesses())
                .containsExactly(
                        new Access(Kind.FIELD_INDEX, "events_lists"),
                        new Access(Kind.TIME_INDEX, "events_detect_time"),
                        new Access(Kind.ID_INDEX, "events_pkey"));
    }

    @Test
    void readingTheJsonOfChosenEventsIsNoAccess() {
        Plan plan = read("{'Node Type': 'Hash Join', 'Plans': ["
                + "{'Node Type': 'Seq Scan', 'Relation Name': 'events'},"
                + "{'Node Type': 'Seq Scan', 'Relation Name': 'events_json'},"
                + "{'Node Type': 'Index Scan', 'Index Name': 'events_json_pkey', 'Relation Name': 'events_json'}]}");
        assertThat(plan.accesses()).containsExactly(new Access(Kind.TABLE, "events"));
    }

    @Test
    void workersThatWerePlannedButNotThereShareNothing() {
        assertThat(read(gather(2, 2)).parallel()).isTrue();
        assertThat(read(gather(2, 0)).parallel()).isFalse();
    }

    @Test
    void everyKindOfSortCounts() {
        assertThat(read("{'Node Type': 'Sort'}").sorted()).isTrue();
        assertThat(read("{'Node Type': 'Limit', 'Plans': [{'Node Type': 'Incremental Sort'}]}")
                        .sorted())
                .isTrue();
        assertThat(read("{'Node Type': 'Limit'}").sorted()).isFalse();
    }

    private static String gather(int planned, int launched) {
        return "{'Node Type': 'Gather', 'Workers Planned': " + planned + ", 'Workers Launched': " + launched
                + ", 'Plans': [{'Node Type': 'Seq Scan', 'Relation Name': 'events', 'Parallel Aware': true}]}";
    }

    private static Plan read(String root) {
        return READER.read(("[{'Plan': " + root + "}]").replace('\'', '"'));
    }
}
