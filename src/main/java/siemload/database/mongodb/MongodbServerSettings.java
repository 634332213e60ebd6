package siemload.database.mongodb;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.bson.Document;

/** What the server was started with, by dotted names as in its configuration file. */
final class MongodbServerSettings {
    private static final Pattern SECRET = Pattern.compile("password|secret", Pattern.CASE_INSENSITIVE);

    private MongodbServerSettings() {}

    /** From the answer of {@code getCmdLineOpts}; without those settings that could be a secret. */
    static SortedMap<String, String> of(Document options) {
        SortedMap<String, String> settings = new TreeMap<>();
        add(settings, "", options.get("parsed", new Document()));
        return settings;
    }

    private static void add(SortedMap<String, String> settings, String prefix, Document options) {
        options.forEach((key, value) -> {
            String name = prefix + key;
            if (value instanceof Document section) {
                add(settings, name + ".", section);
            } else if (!SECRET.matcher(name).find()) {
                settings.put(name, String.valueOf(value));
            }
        });
    }
}
