package siemload.database.mongodb;

import static siemload.database.mongodb.WiredTigerCounters.number;

import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.bson.Document;
import siemload.database.ServerUse;
import siemload.database.server.ServerUseSurvey;
import siemload.database.server.ServerUseSurvey.Client;
import siemload.database.server.ServerUseSurvey.Question;

/** Finds out who uses a server. */
record MongodbServerUse(MongoDatabase database, MongoDatabase administration) {
    private static final BsonTemplate OPERATIONS = BsonTemplate.read("server", "other-operations");
    /** Beside them, drivers ask for news of the server all the time. */
    private static final List<String> COUNTED = List.of("insert", "query", "update", "delete", "getmore");

    /** For a run that makes its own collections. Takes about a second. */
    ServerUse look() {
        return look(List.of(
                "a collection siemload_data_... for the data set in the database " + database.getName()
                        + ", kept for later runs",
                "a collection siemload_run_..., a copy of it, dropped at the end",
                "a collection siemload_registry that lists what it has made, kept"));
    }

    /**
     * Takes about a second.
     *
     * @param makes what a run makes there
     */
    ServerUse look(List<String> makes) {
        return ServerUseSurvey.of(
                makes,
                "",
                new Question<>(
                        () -> MongodbErrors.trying("see what others do", this::clients),
                        List.of(),
                        "what others do (the role clusterMonitor)"),
                new Question<>(
                        () -> MongodbErrors.trying("count operations", this::operations),
                        0L,
                        "how much others ask of it (the role clusterMonitor)"),
                new Question<>(
                        () -> MongodbErrors.trying("see how full the disk is", this::freeBytes),
                        OptionalLong.empty(),
                        "how much room there is (the role readWrite)"));
    }

    private List<Client> clients() {
        return administration
                .aggregate(OPERATIONS.pipeline(Map.of()))
                .map(program -> new Client(
                        program.getString("_id") + " (" + number(program, "sessions") + " connections)",
                        number(program, "working")))
                .into(new ArrayList<>());
    }

    private long operations() {
        Document counted =
                administration.runCommand(new Document("serverStatus", 1)).get("opcounters", new Document());
        return COUNTED.stream().mapToLong(kind -> number(counted, kind)).sum();
    }

    private OptionalLong freeBytes() {
        Document statistics = database.runCommand(new Document("dbStats", 1));
        return statistics.containsKey("fsTotalSize") && statistics.containsKey("fsUsedSize")
                ? OptionalLong.of(number(statistics, "fsTotalSize") - number(statistics, "fsUsedSize"))
                : OptionalLong.empty();
    }
}
