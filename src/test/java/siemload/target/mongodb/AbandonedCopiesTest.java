package siemload.target.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.event.IdeaReader;
import siemload.target.DatasetKey;
import siemload.target.EmbeddedServer;
import siemload.target.IndexSet;
import siemload.target.Store;
import siemload.target.Target;
import siemload.target.TargetOptions;
import siemload.target.contract.ContractSubject;

/** What killed runs and loads leave behind goes; what others are using stays. */
@Tag("database")
final class AbandonedCopiesTest {
    private static final DatasetKey KEY = new DatasetKey("00000000abcdef03", "abandoned copies", 1);
    private static final TargetOptions OPTIONS = TestServer.options(IndexSet.NATIVE, Duration.ofSeconds(20));

    @Test
    void theNextRunDropsTheCopyOfAKilledOneAndLeavesAConcurrentOneAlone() {
        try (EmbeddedServer server = TestServer.start();
                Target target = new MongodbPlugin().connect(server.address(), OPTIONS);
                MongoClient administrator = new Connections(server.address(), OPTIONS).open()) {
            MongoDatabase database = administrator.getDatabase(new Connections(server.address(), OPTIONS).database());
            load(target);
            database.getCollection("run_killed").insertOne(new Document());
            database.getCollection("runs")
                    .insertOne(new Document("_id", "run_killed")
                            .append("seen", Date.from(Instant.now().minus(Duration.ofHours(1)))));
            try (Store concurrent = target.copy(KEY, "concurrent");
                    Store next = target.copy(KEY, "next")) {
                assertThat(names(database))
                        .contains("run_concurrent", "run_next")
                        .doesNotContain("run_killed");
                assertThat(concurrent.events()).isEqualTo(1);
                assertThat(next.events()).isEqualTo(1);
            }
            assertThat(names(database)).doesNotContain("run_concurrent", "run_next");
            assertThat(database.getCollection("runs").countDocuments()).isZero();
        }
    }

    @Test
    void aLoadReplacesWhatAKilledOneLeft() {
        try (EmbeddedServer server = TestServer.start();
                Target target = new MongodbPlugin().connect(server.address(), OPTIONS);
                MongoClient administrator = new Connections(server.address(), OPTIONS).open()) {
            MongoDatabase database = administrator.getDatabase(new Connections(server.address(), OPTIONS).database());
            database.getCollection("loading_" + KEY.fingerprint()).insertOne(new Document("_id", "half a load"));
            load(target);
            assertThat(names(database)).doesNotContain("loading_" + KEY.fingerprint());
            try (Store store = target.copy(KEY, "after-the-load")) {
                assertThat(store.events()).isEqualTo(1);
            }
        }
    }

    private static void load(Target target) {
        String event = "{\"ID\": \"one\", \"DetectTime\": \"2016-06-06T12:00:00Z\"}";
        ContractSubject.load(target, KEY, List.of(new IdeaReader().read(event)));
    }

    private static List<String> names(MongoDatabase database) {
        return database.listCollectionNames().into(new ArrayList<>());
    }
}
