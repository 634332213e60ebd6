package siemload.database.mongodb;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** What the server was started with, by dotted names as in its configuration file. */
final class MongodbServerSettings {
    private static final Pattern SECRET = Pattern.compile("password|secret", Pattern.CASE_INSENSITIVE);

    private MongodbServerSettings() {}

    /** From the answer of {@code getCmdLineOpts}; without those settings that could be a secret. */
    static SortedMap<String, String> of(BsonDocument options) {
        SortedMap<String, String> settings = new TreeMap<>();
        add(settings, "", options.getDocument("parsed", new BsonDocument()));
        return settings;
    }

    private static void add(SortedMap<String, String> settings, String prefix, BsonDocument options) {
        options.forEach((key, value) -> {
            String name = prefix + key;
            if (value.isDocument()) {
                add(settings, name + ".", value.asDocument());
            } else if (!SECRET.matcher(name).find()) {
                settings.put(name, text(value));
            }
        });
    }

    private static String text(BsonValue value) {
        if (value.isString()) {
            return value.asString().getValue();
        }
        String json = new BsonDocument("", value).toJson();
        return json.substring(json.indexOf(':') + 2, json.length() - 1);
    }
}
