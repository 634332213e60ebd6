package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.database.SearchSession.Plan;
import siemload.database.SearchSession.Plan.Access;
import siemload.database.SearchSession.Plan.Access.Kind;
import siemload.database.postgresql.PostgresqlSession.PlanReader;

final class PlanReaderTest {
    private static final List<String> TABLES = List.of("events", "event_address");
    private static final PlanReader READER = new PlanReader(
            TABLES, Map.of("events_detect_time", new Access(Kind.TIME_INDEX, "events_detect_time")), Map.of());
    private static final PlanReader BY_DAY = new PlanReader(
            TABLES,
            Map.of("events_20160606_detect_time_idx", new Access(Kind.TIME_INDEX, "events_detect_time")),
            Map.of(
                    "events_20160606", "events",
                    "events_20160607", "events",
                    "events_other", "events",
                    "event_address_20160606", "event_address"));

    @Test
    void workersThatWerePlannedButNotThereShareNothing() {
        assertThat(read(gather(2, 2)).parallel()).isTrue();
        assertThat(read(gather(2, 0)).parallel()).isFalse();
    }

    @Test
    void aPartitionWithoutAnyPageIsNoTableThatIsRead() {
        assertThat(BY_DAY.read(
                                json(
                                        "{'Node Type': 'Append', 'Plans': ["
                                                + "{'Node Type': 'Seq Scan', 'Relation Name': 'events_20160606', 'Total Cost': 12.5},"
                                                + "{'Node Type': 'Seq Scan', 'Relation Name': 'events_20160607', 'Total Cost': 0.00}]}"))
                        .accesses())
                .containsExactly(new Access(Kind.TABLE, "events"));
        assertThat(BY_DAY.read(json(
                                "{'Node Type': 'Seq Scan', 'Relation Name': 'events_20160607', 'Total Cost': 0.00}"))
                        .accesses())
                .isEmpty();
    }

    private static String gather(int planned, int launched) {
        return "{'Node Type': 'Gather', 'Workers Planned': " + planned + ", 'Workers Launched': " + launched
                + ", 'Plans': [{'Node Type': 'Seq Scan', 'Relation Name': 'events', 'Parallel Aware': true}]}";
    }

    private static Plan read(String root) {
        return READER.read(json(root));
    }

    private static String json(String root) {
        return ("[{'Plan': " + root + "}]").replace('\'', '"');
    }
}
