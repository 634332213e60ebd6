package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.layout.BlockFiles;
import siemload.event.IdeaReader;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.Paging;

/** Layouts of users' own for documents: folders that are read as siemload's own one is, and what is said of bad ones. */
final class OwnDocumentLayoutTest {
    private static MongodbSearches with(String block, UnaryOperator<String> change) {
        SortedMap<String, String> blocks =
                BlockFiles.of(new MongodbPlugin().ownLayouts().orElseThrow().files("idea", Partitions.NONE));
        blocks.computeIfPresent(block, (name, text) -> change.apply(text));
        LayoutFolder folder = new LayoutFolder("mine", "mine", BlockFiles.folder(blocks));
        return new MongodbSearches(
                new Variant("mine", Partitions.NONE, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET, Optional.of(folder)));
    }

    @Test
    void theDocumentOfAnEventHasTheKeysOfItsTemplate() throws IOException {
        MongodbSearches layout = with("document.json", idea -> """
                {
                    "_id": {"of": {"$param": "id"}, "version": 2},
                    "when": [{"$param": "detect_time"}, null, true],
                    "names": {"$param": "node_name"},
                    "from": {"$each": "source_address", "in": {"wide": {"$param": "wide"}, "kind": "source"}},
                    "ports": {"$each": "target", "in": {"$param": "port"}},
                    "types": {"$param": "source_type"},
                    "protocols": {"$param": "protocol"}
                }
                """);
        SecurityEvent event = new IdeaReader().read("""
                {"Format": "IDEA0", "ID": "e1", "DetectTime": "2016-06-06T01:02:03.456789Z", "Category": ["A", "B"],
                 "Source": [{"IP4": ["192.0.2.1", "198.51.100.0/24"], "Type": ["Botnet"], "Proto": ["tcp"]},
                            {"IP4": ["192.0.2.1"], "Type": ["Botnet"], "Proto": ["tcp", "ssh"]}],
                 "Target": [{"Port": [22, 80]}, {"Port": [443]}], "Node": [{"Name": "d"}]}
                """);

        assertThat(encoded(layout, event)).isEqualTo(BsonDocument.parse("""
                {
                    "_id": {"of": "e1", "version": 2},
                    "when": [{"$date": "2016-06-06T01:02:03.456Z"}, null, true],
                    "names": ["d"],
                    "from": [{"wide": false, "kind": "source"}, {"wide": true, "kind": "source"}],
                    "ports": [[22, 80], [443]],
                    "types": ["Botnet"],
                    "protocols": ["tcp", "ssh"]
                }
                """));
    }

    private static BsonDocument encoded(MongodbSearches layout, SecurityEvent event) {
        return layout.document(event, new IdeaWriter().toBytes(event))
                .toBsonDocument(Document.class, MongoClientSettings.getDefaultCodecRegistry());
    }
}
