package siemload.database.mongodb.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.Document;
import org.bson.codecs.EncoderContext;
import org.junit.jupiter.api.Test;
import siemload.database.IndexSet;
import siemload.database.layout.LayoutInFolder;
import siemload.database.mongodb.MongodbPlugin;
import siemload.database.mongodb.layout.DocumentLayout.EventCodec;
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
}
