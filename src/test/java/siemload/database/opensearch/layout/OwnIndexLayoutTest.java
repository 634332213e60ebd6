package siemload.database.opensearch.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.database.IndexSet;
import siemload.database.layout.LayoutInFolder;
import siemload.database.layout.MissingFileException;
import siemload.database.layout.document.BrokenTemplates;
import siemload.database.layout.document.TemplateFiles;
import siemload.database.opensearch.OpenSearchPlugin;
import siemload.event.IdeaReader;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.Field;
import siemload.query.Order;

/** Layouts of users' own for indexes: folders that are read as siemload's own one is, and what is said of bad ones. */
final class OwnIndexLayoutTest extends LayoutInFolder {
    private static final ObjectMapper JSON = new ObjectMapper();

    OwnIndexLayoutTest() {
        super(new OpenSearchPlugin(), IndexLayout::of);
    }

    @Test
    void aCopyIsTheSameAsSiemloadsOwn() {
        IndexLayout copy = IndexLayout.of(copy(IndexLayout.IDEA));

        assertThat(copy.offer()).isEqualTo(IndexLayout.IDEA.offer());
        assertThat(copy.copied()).isEqualTo(IndexLayout.IDEA.copied());
        assertThat(copy.rows()).isEqualTo(IndexLayout.IDEA.rows());
        for (IndexSet set : copy.offer().indexSets()) {
            assertThat(copy.index(set)).isEqualTo(IndexLayout.IDEA.index(set));
        }
        for (Order order : Order.values()) {
            assertThat(copy.order(order)).isEqualTo(IndexLayout.IDEA.order(order));
        }
    }

    /** A field that an index set of the layout does not index is searched all the same, only more slowly. */
    @Test
    void allIndexSetsHaveTheSameFields() {
        Set<?> fields = fields(IndexSet.NATIVE).keySet();
        for (IndexSet set : IndexLayout.IDEA.offer().indexSets()) {
            assertThat(fields(set).keySet()).as(set.label()).isEqualTo(fields);
        }
        assertThat(fields(IndexSet.FIELDS)).isEqualTo(fields(IndexSet.NATIVE));
        assertThat(fields(IndexSet.TIME).get("detect_micros")).isEqualTo(Map.of("type", "long"));
        assertThat(fields(IndexSet.NONE).get("detect_micros")).isEqualTo(Map.of("type", "long", "index", false));
    }

    private static Map<?, ?> fields(IndexSet set) {
        Map<?, ?> mappings = (Map<?, ?>) IndexLayout.IDEA.index(set).get("mappings");
        return (Map<?, ?>) mappings.get("properties");
    }

    @ParameterizedTest
    @EnumSource(Field.class)
    void aSummaryGroupsByAFieldOfTheIndex(Field field) {
        String name = IndexLayout.IDEA.field(field);
        assertThat(fields(IndexSet.NATIVE).containsKey(name.split("[.]")[0]))
                .as(name)
                .isTrue();
    }

    @Test
    void anIndexSetThatTheLayoutDoesNotHaveHasNoIndex() {
        assertThatThrownBy(() -> IndexLayout.IDEA.index(IndexSet.COMPOUND))
                .isInstanceOf(MissingFileException.class)
                .hasMessageContaining("index-compound.json");
    }

    @Test
    void eventsAreSortedByTimeAndThenById() {
        assertThat(IndexLayout.IDEA.timeField()).isEqualTo("detect_micros");
        assertThat(IndexLayout.IDEA.order(Order.NEWEST_FIRST))
                .isEqualTo(List.of(Map.of("detect_micros", "desc"), Map.of("id", "desc")));
        assertThat(IndexLayout.IDEA.order(Order.OLDEST_FIRST))
                .isEqualTo(List.of(Map.of("detect_micros", "asc"), Map.of("id", "asc")));
        assertThat(IndexLayout.IDEA.order(Order.UNSORTED)).isEmpty();
    }

    @Test
    void aFolderNeedsOnlyWhatDiffersFromItsBase() {
        write(YAML, IndexLayout.IDEA.copied().get(YAML) + "base: [idea]\n");
        write("condition-category.json", "{\"terms\": {\"category\": [{\"$param\": \"category\"}]}}");
        write("field-port.json", "{\"field\": \"port.words\"}");

        IndexLayout layout = IndexLayout.of(folder());

        assertThat(layout.template("condition-category").object(Map.of("category", "Recon")))
                .isEqualTo(Map.of("terms", Map.of("category", List.of("Recon"))));
        assertThat(layout.rows()).isEqualTo(IndexLayout.IDEA.rows());
        assertThat(layout.template("top-list")
                        .object(Map.of("field", layout.field(Field.PORT), "limit", 7))
                        .toString())
                .contains("field=port.words", "size=7");
    }

    @Test
    void theDocumentOfAnEventHasAllThatIsSearched() throws IOException {
        SecurityEvent event = new IdeaReader().read("""
                {"Format": "IDEA0", "ID": "e/é", "DetectTime": "2016-06-06T01:02:03.456789Z", "Category": ["A", "B"],
                 "Description": "a\\u0000\\"b\\"", "X": 1.50,
                 "Source": [{"IP4": ["198.51.100.0/24", "192.0.2.1"], "Port": [22]}, {"IP4": ["192.0.2.1"]},
                            {"IP6": ["2001:db8::/127", "::1"]}],
                 "Target": [{"Port": [22, 80], "IP4": ["10.0.0.9-10.0.0.11"]}, {"Port": [443], "IP6": ["2001:db8::9"]}],
                 "Node": [{"Name": "relay"}, {"Name": "d"}]}
                """);

        JsonNode document = written(IndexLayout.IDEA, event);

        assertThat(document.path("event").textValue())
                .isEqualTo(new String(new IdeaWriter().toBytes(event), StandardCharsets.UTF_8))
                .contains("1.50");
        assertThat(document).isEqualTo(JSON.readTree("""
                {
                    "id": "e/é", "detect_micros": 1465174923456789, "event": %s,
                    "category": ["A", "B"], "detector": ["relay", "d"], "description": "a\\"b\\"",
                    "port": [22, 80, 443], "source_port": [22], "target_port": [22, 80, 443],
                    "source_ip4": ["192.0.2.1"], "source_range4": [{"gte": "198.51.100.0", "lte": "198.51.100.255"}],
                    "source_ip6": ["::1"], "source_range6": [{"gte": "2001:db8::", "lte": "2001:db8::1"}],
                    "target_ip4": [], "target_range4": [{"gte": "10.0.0.9", "lte": "10.0.0.11"}],
                    "target_ip6": ["2001:db8::9"], "target_range6": [],
                    "hour": "2016-06-06T01:00:00Z", "lowest_source": "4c0000201"
                }
                """.formatted(document.path("event"))));
    }

    @Test
    void anEventWithoutSourcesHasNoLowestOne() throws IOException {
        assertThat(written(IndexLayout.IDEA, event("")).path("lowest_source").isNull())
                .isTrue();
        assertThat(lowestOf("\"IP6\": [\"2001:db8::1\", \"::1\"]")).isEqualTo("6" + "0".repeat(31) + "1");
        assertThat(lowestOf("\"IP6\": [\"::\"], \"IP4\": [\"255.255.255.0/24\"]"))
                .isEqualTo("4ffffff00");
    }

    private static String lowestOf(String source) throws IOException {
        return written(IndexLayout.IDEA, event(source)).path("lowest_source").textValue();
    }

    private static SecurityEvent event(String source) throws IOException {
        return new IdeaReader()
                .read("{\"ID\": \"e\", \"DetectTime\": \"2016-06-06T01:02:03Z\", \"Source\": [{" + source + "}]}");
    }

    /** What SHA-256 of "abc" is stands in FIPS 180-2; here it is in the letters of URLs. */
    @Test
    void aDocumentIsCalledByTheHashOfTheId() throws IOException {
        assertThat(IndexLayout.idHash("abc")).isEqualTo("ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
        assertThat(IndexLayout.IDEA.documentId(event(""))).isEqualTo(IndexLayout.idHash("e"));
        assertThat(IndexLayout.idHash("x".repeat(2_000))).hasSize(43);
    }

    @Test
    void aDocumentMayHaveOtherFieldsAndConstants() throws IOException {
        copy(IndexLayout.IDEA);
        write("document.json", """
                {
                    "id": {"$param": "id"}, "detect_micros": {"$param": "detect_micros"}, "event": {"$param": "json"},
                    "name": {"$param": "id_hash"}, "when": {"$param": "detect_time"}, "version": [2, 1.50, null, true, "x"],
                    "from": {"$each": "source", "in": {"ports": {"$param": "port"}, "wide": {"$each": "ip4", "in": {"$param": "wide"}}}}
                }
                """);

        JsonNode document = written(
                IndexLayout.of(folder()), event("\"IP4\": [\"192.0.2.1\", \"192.0.2.2/31\"], \"Port\": [1, 2]"));

        assertThat(document.path("name").textValue()).isEqualTo(IndexLayout.idHash("e"));
        assertThat(document.path("when").textValue()).isEqualTo("2016-06-06T01:02:03Z");
        assertThat(document.path("version")).hasToString("[2,1.5,null,true,\"x\"]");
        assertThat(document.path("from")).hasToString("[{\"ports\":[1,2],\"wide\":[false,true]}]");
    }

    private static JsonNode written(IndexLayout layout, SecurityEvent event) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator generator = new JsonFactory().createGenerator(bytes)) {
            layout.write(event, new IdeaWriter().toBytes(event), generator);
        }
        return JSON.readTree(bytes.toByteArray());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            target: opensearch | target: oracle | mine/layout.yaml:2:9: target: 'oracle' is unknown (allowed: opensearch)
            [native, none, time | [natve, none, time | 'natve' is unknown (did you mean native?
            hints: [none] | hints: [none, index] | 'index' is unknown (allowed: none)
            paging: [offset | paging: [ofset | 'ofset' is unknown (did you mean offset?
            loading: events | base: [rows] | 'rows' is unknown (allowed: idea)
            loading: events | base: [mentat] | 'mentat' is unknown (allowed: idea)
            loading: events | index: mine | index: means nothing to a layout with loading: siemload names the indexes that it makes (leave it out)
            loading: events | collection: mine | collection: unknown key
            """)
    void aBadDescriptionIsToldWithItsPlace(String from, String to, String message) {
        assertThat(problems(IndexLayout.IDEA, YAML, from, to)).contains(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            condition-category.json | "category"} | "categry"} | mine/condition-category.json:1:24: the name 'categry' is unknown here (did you mean category? allowed: category)
            condition-category.json | {"$param": "category"} | {"$param": 1} | mine/condition-category.json:1:24: $param stands for a value (needed: {"$param": "name"} alone)
            condition-category.json | }}} | }}, "x": 1} | mine/condition-category.json: is no query (needed: an object with one key, which says of which kind it is)
            condition-window.json | "lt" | "gte" | mine/condition-window.json:1:62: is no JSON: the name 'gte' stands twice
            condition-window.json | {"$param": "from"} | {"$each": "from", "in": 1} | mine/condition-window.json:1:38: $each is for document.json
            condition-text.json | {"value": | {"value" | mine/condition-text.json:1:39: is no JSON
            presence.json | {"ids": {"values": {"$param": "id_hashes"}}} | [] | mine/presence.json: is no query
            presence.json | id_hashes | id_hash | mine/presence.json:1:21: the name 'id_hash' is unknown here (did you mean id_hashes? allowed: id_hashes, ids)
            field-port.json | "port.text" | 1 | mine/field-port.json: names no field (needed: {"field": "name"} alone)
            rows.json | {} | null | mine/rows.json: is null (needed: an object, a list or a value)
            rows.json | {} | {} {} | mine/rows.json:1:4: has more than one value
            rows.json | {} | [] | mine/rows.json: is no object (needed: {...})
            newest-first.json | [{"detect_micros": "desc"}, {"id": "desc"}] | [] | mine/newest-first.json: is no order (needed: [{"field": "desc"}, ...])
            oldest-first.json | "asc"}, {"id" | "asc", "id" | mine/oldest-first.json: is no order
            timeline.json | "aggs" | "filter" | mine/timeline.json: has no aggregation values within the aggs of steps
            timeline.json | "step" | "steps" | mine/timeline.json:5:26: the name 'steps' is unknown here (did you mean step? allowed: field, offset, step)
            top-list.json | "values" | "value" | mine/top-list.json: has no aggregation values (needed: lines are made of its buckets)
            index-time.json | "mappings" | "mapping" | mine/index-time.json: does not make an index
            index-time.json | "mappings" | "aliases": {"mine": {}}, "mappings" | mine/index-time.json: does not make an index
            index-native.json | 2147483647 | {"$param": "limit"} | mine/index-native.json:6:31: the name 'limit' is unknown here (allowed: none)
            document.json | "description"} | "descripton"} | mine/document.json:7:21: the name 'descripton' is unknown here (did you mean description? allowed: category, description,
            document.json | "$each": "source_ip4" | "$each": "source_ip5" | mine/document.json:11:20: the list 'source_ip5' is unknown here (did you mean source_ip4? allowed:
            document.json | "gte": {"$param": "first"} | "gte": {"$param": "json"} | mine/document.json:12:64: the name 'json' is unknown here (allowed: first, last, wide)
            document.json | "event": {"$param": "json"} | "events": {"$param": "json"} | mine/document.json: no {"$param": "json"} is in event (needed: rows are made of id, detect_micros and event)
            document.json | {"$param": "detect_micros"} | {"$param": "detect_time"} | mine/document.json: no {"$param": "detect_micros"} is in detect_micros
            document.json | "category": | "_id": | mine/document.json: has the key _id (leave it out: it is the hash of the id)
            document.json | "category": {"$param": "category"} | "$category": 1 | mine/document.json: the key $category begins with $ (allowed: $param and $each)
            """)
    void aBadFileIsToldWithItsPlace(String file, String from, String to, String message) {
        assertThat(problems(IndexLayout.IDEA, file, from, to)).contains(message);
    }

    @Test
    void everyMissingFileIsTold() {
        copy(IndexLayout.IDEA);
        delete("rows.json");
        delete("document.json");
        delete("index-none.json");
        assertThat(problems().lines())
                .contains("mine/rows.json: there is no such file, which the layout needs (make it, or name a layout of"
                        + " siemload's that has it as base in mine/layout.yaml)")
                .anySatisfy(line -> assertThat(line).startsWith("mine/document.json: there is no such file"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("mine/index-none.json: there is no such file, which the layout needs for its index"
                                + " set none "))
                .hasSize(3);
    }

    @Test
    void allFilesAreLookedAtAtOnce() {
        copy(IndexLayout.IDEA);
        write("rows.json", "{");
        write("condition-id.json", "{\"ids\": {\"values\": [{\"$param\": \"di\"}]}}");
        write("index-compound.json", "{}");
        assertThat(problems().lines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("mine/rows.json:1:2: is no JSON: ends within an object, which is not closed"))
                .anySatisfy(
                        line -> assertThat(line).startsWith("mine/condition-id.json:1:22: the name 'di' is unknown"))
                .anySatisfy(
                        line -> assertThat(line).startsWith("mine/index-compound.json: nothing reads a file of this"))
                .hasSize(3);
    }

    @Test
    void anIndexSetThatTheLayoutDoesNotHaveNeedsNoFile() {
        copy(IndexLayout.IDEA);
        replace(YAML, "[native, none, time, fields]", "[time]");
        for (String set : List.of("native", "fields", "none")) {
            delete("index-" + set + ".json");
        }
        assertThat(IndexLayout.of(folder()).offer().indexSets()).containsExactly(IndexSet.TIME);
    }

    @Test
    void brokenTextsAreToldToBeNone() {
        BrokenTemplates.areToldToBeNone(
                TemplateFiles.templates(IndexLayout.IDEA.copied()).values(),
                List.of("NaN", "-", "1e9999999999"),
                PlainJson.NOTATION);
    }
}
