package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoDatabase;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Parameters that a run sets on the server while it goes on. They are the whole server's, so that they get their earlier
 * values back when it ends; a run that is killed leaves them. Used by one thread.
 */
final class MongodbRunParameters implements AutoCloseable {
    private final MongoDatabase administration;
    private final Map<String, BsonValue> earlier = new LinkedHashMap<>();

    private MongodbRunParameters(MongoDatabase administration) {
        this.administration = administration;
    }

    /** @throws siemload.database.TargetException in the server's words if it refuses one */
    static MongodbRunParameters set(MongoDatabase administration, Map<String, String> values) {
        MongodbRunParameters parameters = new MongodbRunParameters(administration);
        values.forEach((name, value) -> {
            try {
                BsonDocument before = administration.runCommand(
                        new BsonDocument("getParameter", new BsonInt32(1)).append(name, new BsonInt32(1)),
                        BsonDocument.class);
                parameters.set(name, value(value));
                parameters.earlier.put(name, before.get(name, BsonNull.VALUE));
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
            BsonDocument now = administration.runCommand(
                    new BsonDocument("getParameter", new BsonInt32(1)).append(name, new BsonInt32(1)),
                    BsonDocument.class);
            values.put("parameter." + name, plain(now.get(name, new BsonString("unknown"))));
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

    private void set(String name, BsonValue value) {
        administration.runCommand(new BsonDocument("setParameter", new BsonInt32(1)).append(name, value));
    }

    private static String plain(BsonValue value) {
        if (value.isString()) {
            return value.asString().getValue();
        }
        if (value.isBoolean()) {
            return Boolean.toString(value.asBoolean().getValue());
        }
        if (value.isDouble()) {
            return Double.toString(value.asDouble().getValue());
        }
        return value.isNumber() ? Long.toString(value.asNumber().longValue()) : value.toString();
    }

    /** As the shell would take it. */
    static BsonValue value(String text) {
        if (text.equals("true") || text.equals("false")) {
            return BsonBoolean.valueOf(Boolean.parseBoolean(text));
        }
        if (text.matches("-?\\d{1,18}")) {
            long number = Long.parseLong(text);
            return number == (int) number ? new BsonInt32((int) number) : new BsonInt64(number);
        }
        return text.matches("-?\\d+\\.\\d+") ? new BsonDouble(Double.parseDouble(text)) : new BsonString(text);
    }
}
