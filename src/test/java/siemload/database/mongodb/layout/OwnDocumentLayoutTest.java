package siemload.database.mongodb.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.Document;
import org.bson.codecs.EncoderContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.Abilities;
import siemload.database.IndexSet;
import siemload.database.layout.LayoutInFolder;
import siemload.database.mongodb.MongodbPlugin;
import siemload.event.IdeaReader;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.ValueField;

/** Layouts of users' own for documents: folders that are read as siemload's own one is, and what is said of bad ones. */
final class OwnDocumentLayoutTest extends LayoutInFolder {
    OwnDocumentLayoutTest() {
        super(new MongodbPlugin(), DocumentLayout::of);
    }

    @Test
    void aCopyIsTheSameAsSiemloadsOwn() {
        DocumentLayout copy = DocumentLayout.of(copy(DocumentLayout.IDEA));

        assertThat(copy.offer()).isEqualTo(DocumentLayout.IDEA.offer());
        assertThat(copy.copied()).isEqualTo(DocumentLayout.IDEA.copied());
        assertThat(copy.rows()).isEqualTo(DocumentLayout.IDEA.rows());
        for (IndexSet set : IndexSet.values()) {
            assertThat(copy.indexes(set)).isEqualTo(DocumentLayout.IDEA.indexes(set));
            assertThat(copy.hasPairs(set)).isEqualTo(set == IndexSet.NATIVE);
        }
        assertThat(copy.indexes(IndexSet.NATIVE)).hasSize(6);
        assertThat(copy.indexes(IndexSet.NONE)).isEmpty();
    }

    /** What the plugin says before any file is read. */
    @Test
    void theTargetOffersWhatTheFilesSay() {
        Abilities offered = new MongodbPlugin().abilities();
        assertThat(offered.indexSets()).isEqualTo(DocumentLayout.IDEA.offer().indexSets());
        assertThat(offered.hints()).isEqualTo(DocumentLayout.IDEA.offer().hints());
        assertThat(offered.pagings()).isEqualTo(DocumentLayout.IDEA.offer().pagings());
    }

    @Test
    void aFolderNeedsOnlyWhatDiffersFromItsBase() {
        copy(DocumentLayout.IDEA);
        for (String file : folder().files().keySet()) {
            if (!file.equals(YAML)) {
                delete(file);
            }
        }
        write("condition-category.json", "{\"Category\": {\"$eq\": {\"$param\": \"category\"}}}");
        write(YAML, read(YAML) + "base: [idea]\n");

        DocumentLayout layout = DocumentLayout.of(folder());

        assertThat(layout.template("condition-category").document(Map.of("category", "Recon")))
                .isEqualTo(new Document("Category", new Document("$eq", "Recon")));
        assertThat(layout.rows()).isEqualTo(DocumentLayout.IDEA.rows());
    }

    @Test
    void anEditedFileMakesAnotherLayout() {
        String before = copy(DocumentLayout.IDEA).label();
        assertThat(before).matches("mine@[0-9a-f]{16}");
        write("README.md", "for people");
        write("page.sql", "of another database");
        assertThat(folder().label()).isEqualTo(before);

        write("rows.json", read("rows.json") + " ");

        assertThat(folder().label()).isNotEqualTo(before);
    }

    @Test
    void theDocumentOfAnEventHasTheKeysOfItsTemplate() throws IOException {
        copy(DocumentLayout.IDEA);
        write("document.json", """
                {
                    "_id": {"of": {"$param": "id"}, "version": {"$numberLong": "2"}},
                    "when": [{"$param": "detect_time"}, null, true],
                    "names": {"$param": "node_name"},
                    "from": {"$each": "source_address", "in": {"wide": {"$param": "wide"}, "kind": "source"}},
                    "ports": {"$each": "target", "in": {"$param": "port"}},
                    "types": {"$param": "source_type"},
                    "protocols": {"$param": "protocol"},
                    "pairs": {"$each": "category_detector", "in": {"$param": "detector"}}
                }
                """);
        SecurityEvent event = new IdeaReader().read("""
                {"Format": "IDEA0", "ID": "e1", "DetectTime": "2016-06-06T01:02:03.456789Z", "Category": ["A", "B"],
                 "Source": [{"IP4": ["192.0.2.1", "198.51.100.0/24"], "Type": ["Botnet"], "Proto": ["tcp"]},
                            {"IP4": ["192.0.2.1"], "Type": ["Botnet"], "Proto": ["tcp", "ssh"]}],
                 "Target": [{"Port": [22, 80]}, {"Port": [443]}], "Node": [{"Name": "d"}]}
                """);

        assertThat(encoded(DocumentLayout.of(folder()), event)).isEqualTo(BsonDocument.parse("""
                {
                    "_id": {"of": "e1", "version": {"$numberLong": "2"}},
                    "when": [{"$date": "2016-06-06T01:02:03.456Z"}, null, true],
                    "names": ["d"],
                    "from": [{"wide": false, "kind": "source"}, {"wide": true, "kind": "source"}],
                    "ports": [[22, 80], [443]],
                    "types": ["Botnet"],
                    "protocols": ["tcp", "ssh"],
                    "pairs": ["d", "d"]
                }
                """));
    }

    private static BsonDocument encoded(DocumentLayout layout, SecurityEvent event) {
        BsonDocument document = new BsonDocument();
        EventCodec.of(layout.template("document").template())
                .encode(
                        new BsonDocumentWriter(document),
                        new MongodbEvent(event, new IdeaWriter().toBytes(event)),
                        EncoderContext.builder().build());
        return document;
    }

    @Test
    void whatHasNoValuesIsNotCopied() {
        BsonTemplate template =
                BsonTemplate.of("{\"a\": {\"b\": [1, null]}, \"c\": [{\"$param\": \"x\"}, {\"d\": 1}]}");
        Document one = template.document(Map.of("x", 7));
        Document other = template.document(Map.of("x", 8));
        assertThat(one)
                .isEqualTo(Document.parse("{\"a\": {\"b\": [1, null]}, \"c\": [7, {\"d\": 1}]}"))
                .isNotEqualTo(other);
        assertThat(one.get("a")).isSameAs(other.get("a"));
        assertThat(other.getList("c", Object.class)).startsWith(8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            target: mongodb | target: oracle | mine/layout.yaml:2:9: target: 'oracle' is unknown (allowed: mongodb)
            [native, none, time | [natve, none, time | 'natve' is unknown (did you mean native?
            [native, none, time | [native, native, time | 'native' stands here twice (leave one out)
            [native, none, time, fields, compound] | [] | is empty (needed: at least one; the first is the default)
            hints: [none, full-scan, | hints: [full-scan, none, | begins with 'full-scan' (needed: none first
            hints: [none, full-scan, | hints: [none, full-scan-parallel, | 'full-scan-parallel' is unknown
            paging: [offset | paging: [ofset | 'ofset' is unknown (did you mean offset?
            paging: | tables: | tables: unknown key
            loading: events | base: [mentat] | 'mentat' is unknown (allowed: idea, rows)
            loading: events | base: [rows] | 'rows' is for layouts with loading: none (allowed: idea)
            loading: events | collection: mine | collection: means nothing to a layout with loading
            """)
    void aBadDescriptionIsToldWithItsPlace(String from, String to, String message) {
        assertThat(problems(DocumentLayout.IDEA, YAML, from, to)).contains(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            condition-category.json | "category"} | "categry"} | mine/condition-category.json:1:15: the name 'categry' is unknown here (did you mean category? allowed: category)
            condition-category.json | "category"} | "category", "x": 1} | mine/condition-category.json:1:15: $param stands for a value (needed: {"$param": "name"} alone)
            condition-category.json | {"$param": "category"} | {"$date": {"$param": "category"}} | mine/condition-category.json: is no Extended JSON:
            condition-category.json | {"Category": {"$param": "category"}} | {"$param": "category"} | mine/condition-category.json: is no object (needed: {...})
            condition-address.json | "last"}}}}}, | "last"}}}}} | mine/condition-address.json:3:5: is no JSON: unexpected character '{': was expecting comma to separate Array entries
            condition-window.json | "$lt" | "$gte" | mine/condition-window.json:1:53: is no JSON: the name '$gte' stands twice
            field-category.json | [] | {"$param": "x"} | mine/field-category.json:1:30: the name 'x' is unknown here (allowed: none)
            rows.json | 1} | 1} {} | mine/rows.json:1:33: has more than one value
            rows.json | {"DetectMicros": 1, "Event": 1} | | mine/rows.json: is empty (needed: JSON)
            rows.json | {"DetectMicros": 1, "Event": 1} | ["Event"] | mine/rows.json: is no object (needed: {...})
            top-list.json | {"$limit": {"$param": "limit"}} | {"$merge": "others"} | mine/top-list.json:7:6: $merge writes, which no search does (leave it out)
            top-list.json | {"$limit": {"$param": "limit"}} | {"$limit": {"$each": "limit", "in": 1}} | mine/top-list.json:7:17: $each is for document.json
            top-list.json | {"$limit": {"$param": "limit"}} | "$limit" | mine/top-list.json: is no pipeline (needed: an array of stages, which are objects)
            indexes-time.json | "name" | "names" | mine/indexes-time.json: is no list of indexes (needed: [{"name": ..., "key": {...}}, ...])
            indexes-time.json | "time" | "when" | mine/indexes-time.json: has no index with the name time, which the hint time-index names (add one, or leave the hint out)
            indexes-fields.json | "port", | "ports", | mine/indexes-fields.json: has no index with the name port, which the hint index names
            document.json | "description" | "descripton" | mine/document.json:7:21: the name 'descripton' is unknown here (did you mean description? allowed: category, description,
            document.json | "$each": "source" | "$each": "sources" | mine/document.json:8:16: the list 'sources' is unknown here (did you mean source? allowed:
            document.json | "$param": "software" | "$param": "json" | mine/document.json:25:16: the name 'json' is unknown here (allowed: name, software, type)
            document.json | "_id": {"$param": "id"} | "_id": {"$param": "json"} | mine/document.json: no {"$param": "id"} is in _id
            document.json | {"$param": "category"}, | {"$setUnion": []}, | mine/document.json: the key $setUnion begins with $
            document.json | "in": {"min": | "as": "a", "in": {"min": | mine/document.json:10:17: $each needs the name of a list and what its elements are
            """)
    void aBadFileIsToldWithItsPlace(String file, String from, String to, String message) {
        assertThat(problems(DocumentLayout.IDEA, file, from, to)).contains(message);
    }

    @Test
    void everyMissingFileIsTold() {
        copy(DocumentLayout.IDEA);
        delete("rows.json");
        delete("document.json");
        delete("indexes-fields.json");
        assertThat(problems().lines())
                .contains("mine/rows.json: there is no such file, which the layout needs (make it, or name a layout of"
                        + " siemload's that has it as base in mine/layout.yaml)")
                .anySatisfy(line -> assertThat(line).startsWith("mine/document.json: there is no such file"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith(
                                "mine/indexes-fields.json: there is no such file, which the layout needs for its index"
                                        + " set fields "))
                .hasSize(3);
    }

    @Test
    void allFilesAreLookedAtAtOnce() {
        copy(DocumentLayout.IDEA);
        write("rows.json", "{");
        write("condition-id.json", "{\"_id\": {\"$param\": \"di\"}}");
        write("row.json", "{}");
        assertThat(problems().lines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("mine/rows.json:1:2: is no JSON: ends within an object, which is not closed"))
                .anySatisfy(
                        line -> assertThat(line).startsWith("mine/condition-id.json:1:10: the name 'di' is unknown"))
                .contains(
                        "mine/row.json: nothing reads a file of this name in this layout (did you mean rows.json? else remove it, or give it another ending)")
                .hasSize(3);
    }

    @Test
    void pairsNeedTheirIndexAndItsCondition() {
        copy(DocumentLayout.IDEA);
        delete("condition-category-detector.json");
        assertThat(problems())
                .contains(
                        "mine/condition-category-detector.json: there is no such file, which the index category_detector"
                                + " needs");

        replace("indexes-native.json", "\"category_detector\"", "\"pairs\"");

        assertThat(DocumentLayout.of(folder()).hasPairs(IndexSet.NATIVE)).isFalse();
    }

    @Test
    void anIndexSetThatTheLayoutDoesNotHaveNeedsNoFile() {
        copy(DocumentLayout.IDEA);
        replace(YAML, "[native, none, time, fields, compound]", "[time, none]");
        for (String set : List.of("native", "fields", "compound")) {
            delete("indexes-" + set + ".json");
        }
        assertThat(DocumentLayout.of(folder()).offer().indexSets()).hasSize(2);
    }

    @Test
    void aLayoutWithoutLoadingSearchesOneCollection() {
        existing();
        DocumentLayout layout = DocumentLayout.of(folder());
        assertThat(layout.isForSearchesAlone()).isTrue();
        assertThat(layout.collection()).isEqualTo("alerts");
        assertThat(layout.timeOfRows()).isEqualTo("$DetectMicros");
        assertThat(layout.timeKey()).isEqualTo("at");
        assertThat(layout.offer().indexSets()).containsExactly(IndexSet.NATIVE);
        assertThat(layout.values()).containsOnlyKeys(ValueField.CATEGORY);
        assertThat(layout.stages()).isEmpty();
        write("stages.json", "[{\"$unwind\": \"$a\"}]");
        assertThat(DocumentLayout.of(folder()).pipeline("times", Map.of("time", "$t")))
                .hasSize(2)
                .startsWith(Document.parse("{\"$unwind\": \"$a\"}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            layout.yaml | collection: alerts | base: [idea] | collection: is missing
            layout.yaml | collection: alerts | collection: system.users | system.users' is no name of a collection
            layout.yaml | loading: none | loading: events | collection: means nothing to a layout with loading
            layout.yaml | hints: [none] | hints: [none, index] | hints: names indexes of siemload's, which this collection does not have
            layout.yaml | hints: [none] | indexes: [native] | indexes: means nothing to a layout without loading
            rows.json | "DetectMicros": 1, | | mine/rows.json: gives no DetectMicros (needed: what a row has are _id, DetectMicros, Event)
            rows.json | "Event": 1 | "Event": false | mine/rows.json: gives no Event
            rows.json | "Event": 1 | "Event": 1, "_id": 0 | mine/rows.json: gives no _id
            values.json | category | kind | mine/values.json: 'kind' is no kind of values (did you mean id? allowed: address,
            values.json | [{"$sortByCount": "$k"}] | {"$sortByCount": "$k"} | mine/values.json: category has no pipeline
            values.json | "$sortByCount" | "$out" | mine/values.json:1:16: $out writes, which no search does (leave it out)
            condition-window.json | from_time | form_time | the name 'form_time' is unknown here (did you mean from_time? allowed: from, from_time, until, until_time)
            newest-first.json | -1 | {"$param": "x"} | the name 'x' is unknown here (allowed: none)
            """)
    void aBadLayoutWithoutLoadingIsToldWithItsPlace(String file, String from, String to, String message) {
        existing();
        replace(file, from, to == null ? "" : to);
        assertThat(problems()).contains(message);
    }

    @Test
    void aLayoutWithoutLoadingHasNothingThatStores() {
        existing();
        delete("rows.json");
        delete("oldest-first.json");
        write("document.json", "{}");
        write("indexes-time.json", "[]");
        write("presence.json", "{}");
        assertThat(problems().lines())
                .anySatisfy(line -> assertThat(line).startsWith("mine/rows.json: there is no such file"))
                .anySatisfy(line -> assertThat(line).startsWith("mine/oldest-first.json: there is no such file"))
                .anySatisfy(
                        line -> assertThat(line).startsWith("mine/document.json: nothing reads a file of this name"))
                .anySatisfy(line -> assertThat(line).startsWith("mine/indexes-time.json: nothing reads"))
                .anySatisfy(line -> assertThat(line).startsWith("mine/presence.json: nothing reads"))
                .hasSize(5);
    }

    private void existing() {
        write(YAML, """
                description: alerts
                target: mongodb
                loading: none
                collection: alerts
                hints: [none]
                """);
        write("rows.json", "{\"DetectMicros\": 1, \"Event\": 1}");
        write("newest-first.json", "{\"at\": -1}");
        write("oldest-first.json", "{\"at\": 1}");
        write("condition-window.json", "{\"at\": {\"$gte\": {\"$param\": \"from_time\"}}}");
        write("values.json", "{\"category\": [{\"$sortByCount\": \"$k\"}]}");
    }

    @Test
    void aFolderThatIsNoneIsTold() {
        assertThat(problems()).contains("check-layout --target mongodb --copy idea");
    }
}
