package siemload.database.mongodb;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.ObjectId;
import siemload.database.EmbeddedServer;

/** A collection with keys and types of its own, and the layout in {@code existing/alerts} that says how to search it. */
public final class Alerts {
    public static final Path LAYOUT = Path.of("src/test/resources/existing/alerts");
    public static final String DATABASE = "siemload_test_soc";
    /** Over a week, three at a time. */
    public static final int ALERTS = 6_000;

    static final Instant FIRST = Instant.parse("2024-02-20T00:00:00Z");
    private static final int SECONDS_BETWEEN = 300;

    private Alerts() {}

    /** Makes it anew. Some rules and sensors have much more alerts than others. */
    public static void make(EmbeddedServer server) {
        try (MongoClient client = MongoClients.create(server.address().url())) {
            client.getDatabase(DATABASE).drop();
            MongoCollection<Document> alerts = client.getDatabase(DATABASE).getCollection("alerts");
            alerts.insertMany(all());
        }
    }

    /** The url of its database. */
    public static String url(EmbeddedServer server) {
        return server.address().url().replaceAll("/*$", "") + "/" + DATABASE;
    }

    /** In the order of their times and ids. */
    static List<Document> all() {
        return IntStream.range(0, ALERTS).mapToObj(Alerts::alert).toList();
    }

    private static Document alert(int n) {
        return new Document("_id", new ObjectId(String.format("%024x", n)))
                .append("at", Date.from(FIRST.plusSeconds((long) n / 3 * SECONDS_BETWEEN)))
                .append("rule", "rule-" + (int) Math.sqrt(n % 100))
                .append("sensor", "sensor-" + (int) Math.sqrt(n % 400))
                .append("src", new Document("ip", "198.51.100." + n % 250).append("port", 1_024 + n % 1_000))
                .append("dst", new Document("ip", "192.0.2." + n % 7).append("port", n % 5 == 0 ? 22 : 443));
    }
}
