package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoDatabase;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Parameters that a run sets on the server while it goes on. They are the whole server's, so that they get their earlier
 * values back when it ends; a run that is killed leaves them. Used by one thread.
 */
final class MongodbRunParameters implements AutoCloseable {
    private final MongoDatabase administration;
    private final Map<String, @Nullable Object> earlier = new LinkedHashMap<>();

    private MongodbRunParameters(MongoDatabase administration) {
        this.administration = administration;
    }

    /** @throws siemload.database.TargetException in the server's words if it refuses one */
    static MongodbRunParameters set(MongoDatabase administration, Map<String, String> values) {
        MongodbRunParameters parameters = new MongodbRunParameters(administration);
        values.forEach((name, value) -> {
            try {
                Object before = parameters.get(name);
                parameters.set(name, value(value));
                parameters.earlier.put(name, before);
            } catch (MongoException e) {
                parameters.close();
                throw MongodbErrors.outsideRun("MongoDB refuses the parameter " + name + "=" + value, e);
            }
        });
        return parameters;
    }

    /** What was set, as the server tells it. */
    SortedMap<String, String> values() {
        SortedMap<String, String> values = new TreeMap<>();
        for (String name : earlier.keySet()) {
            values.put(
                    "parameter." + name,
                    Objects.requireNonNullElse(get(name), "unknown").toString());
        }
        return values;
    }

    /** Gives all of them their earlier values back. */
    @Override
    public void close() {
        earlier.forEach((name, value) -> {
            try {
                set(name, value);
            } catch (MongoException gone) {
                // With the server, or its right: there is nobody left to tell.
            }
        });
        earlier.clear();
    }

    private @Nullable Object get(String name) {
        return administration
                .runCommand(new Document("getParameter", 1).append(name, 1))
                .get(name);
    }

    private void set(String name, @Nullable Object value) {
        administration.runCommand(new Document("setParameter", 1).append(name, value));
    }

    /** As the shell would take it. */
    private static Object value(String text) {
        if (text.equals("true") || text.equals("false")) {
            return Boolean.parseBoolean(text);
        }
        if (text.matches("-?\\d{1,18}")) {
            long number = Long.parseLong(text);
            return number == (int) number ? (Object) (int) number : (Object) number;
        }
        return text.matches("-?\\d+\\.\\d+") ? (Object) Double.parseDouble(text) : text;
    }
}
