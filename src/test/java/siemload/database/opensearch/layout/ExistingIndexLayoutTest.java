package siemload.database.opensearch.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.Origin;
import siemload.database.LayoutFolder;
import siemload.database.layout.LayoutInFolder;
import siemload.database.opensearch.Flows;
import siemload.database.opensearch.OpenSearchPlugin;
import siemload.query.Order;
import siemload.query.ValueField;

/** Layouts of indexes that are there already: what they need, and what is said of bad ones. */
final class ExistingIndexLayoutTest extends LayoutInFolder {
    private static final IndexLayout FLOWS =
            IndexLayout.of(LayoutFolder.read(Flows.LAYOUT.toString(), new Origin.Default(), new OpenSearchPlugin()));

    ExistingIndexLayoutTest() {
        super(new OpenSearchPlugin(), IndexLayout::of);
    }

    @Test
    void itSaysWhatIsSearchedAndWhatBecomesARow() {
        assertThat(FLOWS.isForSearchesAlone()).isTrue();
        assertThat(FLOWS.searched()).isEqualTo("flows-*");
        assertThat(FLOWS.parts()).contains(new HitParts("event.id", "@timestamp", HitParts.SOURCE));
        assertThat(FLOWS.rows()).containsOnlyKeys("docvalue_fields");
        assertThat(FLOWS.place(Map.of("millis", 7, "id", "x")::get)).containsExactly(7, "x");
        assertThat(FLOWS.timeField()).isEqualTo("@timestamp");
        assertThat(FLOWS.values(5))
                .containsOnlyKeys(ValueField.ADDRESS, ValueField.CATEGORY, ValueField.DETECTOR, ValueField.ID);
        assertThat(String.valueOf(FLOWS.values(5).get(ValueField.CATEGORY))).contains("size=5");
    }

    @Test
    void itsBaseMayBeLeftOutWhereTheFolderHasAllItNeeds() {
        copy(FLOWS);
        replace(YAML, "loading: none", "loading: none\nbase: []");
        assertThat(problems().lines())
                .singleElement()
                .asString()
                .startsWith("mine/after-key.json: there is no such file, which the layout needs");
        write("after-key.json", "[{\"$param\": \"time\"}, {\"$param\": \"id\"}]");
        assertThat(IndexLayout.of(folder()).order(Order.NEWEST_FIRST)).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"logs", ".alerts-2024", "logs-*", "'logs-*,flows'", "*-logs", "siem*-2024"})
    void whatTheServerCallsAnIndexIsTaken(String index) {
        copy(FLOWS);
        replace(YAML, "flows-*", "\"" + index + "\"");
        assertThat(IndexLayout.of(folder()).searched()).isEqualTo(index);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            index: flows-* | indexes: [native] | mine/layout.yaml:4:10: indexes: means nothing to a layout without loading, whose tables are as they are (leave it out)
            index: flows-* | base: [rows] | index: is missing
            index: flows-* | index: Flows | index: 'Flows' is no name of an index (needed: an index, an alias, a data stream or a pattern such as logs-*
            index: flows-* | index: flows/_doc | index: 'flows/_doc' is no name of an index
            index: flows-* | index: -flows | index: '-flows' is no name of an index
            index: flows-* | index: siemload_data_x | index: 'siemload_data_x' is, or may be, an index of siemload's own (needed: those of others alone)
            index: flows-* | index: "flows,s*" | index: 'flows,s*' is, or may be, an index of siemload's own
            loading: none | "loading: none\nbase: [mentat]" | 'mentat' is unknown (allowed: idea, rows)
            """)
    void aBadDescriptionIsToldWithItsPlace(String from, String to, String message) {
        assertThat(problems(FLOWS, YAML, from, to.replace("\\n", "\n"))).contains(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rows.json | "row" | "rows" | mine/rows.json: does not say when an event was (needed: {"row": {"time": "@timestamp"}}, and what is sent beside it)
            rows.json | "time" | "when" | mine/rows.json: does not say when an event was
            rows.json | "id": | "name": | mine/rows.json: has 'name' in row (allowed: id, time and event, each the name of a field)
            rows.json | "event.id" | 1 | mine/rows.json: has 'id' in row
            values.json | "category": {"values" | "kind": {"values" | mine/values.json: 'kind' is no kind of values (
            values.json | "category": {"values" | "category": {"lines" | mine/values.json: category has no aggregation values (needed: {"values": {"terms": {"field": "name"}}})
            values.json | "limit" | "most" | mine/values.json:2:75: the name 'most' is unknown here (allowed: limit)
            condition-window.json | from_millis | from_milli | mine/condition-window.json:1:35: the name 'from_milli' is unknown here (did you mean from_millis?
            condition-id.json | {"term" | {"x": 1, "term" | mine/condition-id.json: is no query
            """)
    void aBadFileIsToldWithItsPlace(String file, String from, String to, String message) {
        assertThat(problems(FLOWS, file, from, to)).contains(message);
    }

    @Test
    void filesOfLoadingAreReadByNobody() {
        copy(FLOWS);
        write("document.json", "{}");
        write("index-native.json", "{}");
        write("after-key.json", "[]");
        assertThat(problems().lines())
                .anySatisfy(line -> assertThat(line).startsWith("mine/document.json: nothing reads a file of this"))
                .anySatisfy(line -> assertThat(line).startsWith("mine/index-native.json: nothing reads a file of this"))
                .anySatisfy(line -> assertThat(line).startsWith("mine/after-key.json: is no place"))
                .hasSize(3);
    }
}
