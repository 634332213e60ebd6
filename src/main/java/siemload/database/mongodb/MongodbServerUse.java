package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import siemload.database.ServerUse;
import siemload.database.ServerUseSampler;

/** Finds out who uses a server. Used by one thread. */
final class MongodbServerUse {
    private static final JsonTemplate OPERATIONS = JsonTemplate.read("server/other-operations.json");
    /** Beside them, drivers ask for news of the server all the time. */
    private static final List<String> COUNTED = List.of("insert", "query", "update", "delete", "getmore");

    private final MongoDatabase database;
    private final MongoDatabase administration;
    private final List<String> others = new ArrayList<>();
    private final Set<String> gaps = new LinkedHashSet<>();

    private MongodbServerUse(MongoDatabase database, MongoDatabase administration) {
        this.database = database;
        this.administration = administration;
    }

    /** Takes about a second. */
    static ServerUse at(MongoDatabase database, MongoDatabase administration) {
        return new MongodbServerUse(database, administration).use();
    }

    private ServerUse use() {
        ServerUseSampler.Seen seen = new ServerUseSampler(this::working, this::operations).look();
        String place = " in the database " + database.getName();
        return new ServerUse(
                List.of(
                        "a collection siemload_data_... for the data set" + place + ", kept for later runs",
                        "a collection siemload_run_..., a copy of it, dropped at the end",
                        "a collection siemload_registry that lists what it has made, kept"),
                "",
                freeBytes(),
                others,
                seen.working(),
                seen.perSecond(),
                List.copyOf(gaps));
    }

    private double working() {
        others.clear();
        double working = 0;
        try {
            for (BsonDocument program : administration.aggregate(OPERATIONS.pipeline(Map.of()), BsonDocument.class)) {
                working += program.getNumber("working").doubleValue();
                others.add(program.getString("_id").getValue() + " ("
                        + program.getNumber("sessions").intValue() + " connections)");
            }
        } catch (MongoException refused) {
            gaps.add("what others do (the role clusterMonitor)");
        }
        return working;
    }

    private long operations() {
        try {
            BsonDocument counted =
                    command(administration, "serverStatus").getDocument("opcounters", new BsonDocument());
            return COUNTED.stream()
                    .filter(counted::isNumber)
                    .mapToLong(kind -> counted.getNumber(kind).longValue())
                    .sum();
        } catch (MongoException refused) {
            gaps.add("how much others ask of it (the role clusterMonitor)");
            return 0;
        }
    }

    private OptionalLong freeBytes() {
        BsonDocument statistics = command(database, "dbStats");
        return statistics.isNumber("fsTotalSize") && statistics.isNumber("fsUsedSize")
                ? OptionalLong.of(statistics.getNumber("fsTotalSize").longValue()
                        - statistics.getNumber("fsUsedSize").longValue())
                : OptionalLong.empty();
    }

    private static BsonDocument command(MongoDatabase database, String name) {
        return database.runCommand(new BsonDocument(name, new BsonInt32(1)), BsonDocument.class);
    }
}
