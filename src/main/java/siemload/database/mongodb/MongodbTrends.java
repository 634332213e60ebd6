package siemload.database.mongodb;

import com.mongodb.client.MongoDatabase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.Document;
import siemload.database.Store.Trends;
import siemload.query.Field;
import siemload.query.Summary;

/** A collection beside that of a run's events, whose name begins alike and which is dropped before it. */
record MongodbTrends(MongoDatabase database, String events) implements Trends {
    private static final BsonTemplate STORE = BsonTemplate.read("trends", "store");
    private static final BsonTemplate LINES = BsonTemplate.read("trends", "lines");
    private static final String SUFFIX = "_trends";

    /** The name of the collection beside the one of this name. */
    static String beside(String events) {
        return events + SUFFIX;
    }

    /** The name of the collection that one of this name stands beside; empty for any other name. */
    static Optional<String> eventsOf(String name) {
        return name.endsWith(SUFFIX)
                ? Optional.of(name.substring(0, name.length() - SUFFIX.length()))
                : Optional.empty();
    }

    /** The stages that store the lines of a summary in the place of those that there are. */
    static List<Document> storing(List<Document> summing, String trend, String events) {
        List<Document> stages = new ArrayList<>(summing);
        stages.addAll(STORE.pipeline(Map.of("trend", trend, "lines", beside(events))));
        return stages;
    }

    @Override
    public void create() {
        MongodbErrors.running("make the collection of trends", () -> database.createCollection(beside(events)));
    }

    @Override
    public List<Summary.Line> lines(String trend, Field field) {
        return MongodbErrors.trying(
                "read the trend " + trend,
                () -> database.getCollection(beside(events))
                        .aggregate(LINES.pipeline(Map.of("trend", trend)))
                        .map(line -> SummaryPipeline.line(line, Instant.MIN))
                        .into(new ArrayList<>()));
    }
}
