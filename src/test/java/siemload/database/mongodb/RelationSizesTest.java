package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import siemload.database.mongodb.MongodbServer.MongodbStore;

class RelationSizesTest {

    /** In the shape that the manual gives for $collStats; the stand-in of the tests has no such stage. */
    @Test
    void sizesOfTheCollectionAndItsIndexesAreRead() {
        Document answer = Document.parse("""
                {"ns": "siemload.run_1", "storageStats": {"size": 999, "storageSize": 4096, "totalIndexSize": 28672,
                 "indexSizes": {"_id_": {"$numberLong": "20480"}, "detect_time": 8192}}}
                """);

        assertThat(MongodbStore.sizes(answer))
                .containsExactly(
                        Map.entry("_id_", 20_480L), Map.entry("detect_time", 8_192L), Map.entry("events", 4_096L));
    }
}
