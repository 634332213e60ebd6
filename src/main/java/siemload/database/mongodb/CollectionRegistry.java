package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.client.result.UpdateResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import siemload.database.registry.Entry;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.RegistryStorage;

/**
 * The registry as a collection. What lies in it without being an entry of the user who is logged in is left alone.
 * Thread-safe.
 */
final class CollectionRegistry implements RegistryStorage {
    static final String COLLECTION = "siemload_registry";

    private static final BsonDocument HELLO = new BsonDocument("hello", new BsonInt32(1));
    private static final BsonDocument WHO = new BsonDocument("connectionStatus", new BsonInt32(1));

    private final MongoDatabase database;
    private final MongoCollection<BsonDocument> entries;
    private final String owner;

    CollectionRegistry(MongoDatabase database) {
        this.database = database;
        this.entries = database.getCollection(COLLECTION, BsonDocument.class);
        this.owner = owner(database);
    }

    /** Who is logged in, with the database that knows him; nobody where the server asks for no user. */
    private static String owner(MongoDatabase database) {
        return database
                .runCommand(WHO, BsonDocument.class)
                .getDocument("authInfo", new BsonDocument())
                .getArray("authenticatedUsers", new BsonArray())
                .stream()
                .filter(BsonValue::isDocument)
                .map(user -> user.asDocument().getString("user").getValue() + "@"
                        + user.asDocument().getString("db").getValue())
                .findFirst()
                .orElse("");
    }

    @Override
    public Instant now() {
        return asked("ask the server for its time", () -> {
            BsonDocument answer = database.runCommand(HELLO, BsonDocument.class);
            return Instant.ofEpochMilli(answer.getDateTime("localTime").getValue());
        });
    }

    @Override
    public List<Entry> entries() {
        return asked("read siemload's registry", () -> {
            List<Entry> found = new ArrayList<>();
            entries.find(Filters.eq("owner", owner))
                    .forEach(document -> entry(document).ifPresent(found::add));
            return found;
        });
    }

    @Override
    public boolean insert(Entry entry) {
        return asked("write into siemload's registry", () -> {
            try {
                entries.insertOne(document(entry));
                return true;
            } catch (MongoException e) {
                if (e.getCode() == MongodbErrors.DUPLICATE_KEY) {
                    return false;
                }
                throw e;
            }
        });
    }

    @Override
    public boolean replace(Entry entry, Entry changed) {
        return asked("write into siemload's registry", () -> {
            BsonDocument values = document(changed);
            values.remove("_id");
            List<Bson> updates = values.entrySet().stream()
                    .map(value -> Updates.set(value.getKey(), value.getValue()))
                    .toList();
            UpdateResult result = entries.updateOne(unchanged(entry), Updates.combine(updates));
            return result.getMatchedCount() == 1;
        });
    }

    @Override
    public boolean delete(Entry entry) {
        return asked(
                "write into siemload's registry",
                () -> entries.deleteOne(unchanged(entry)).getDeletedCount() == 1);
    }

    private Bson unchanged(Entry entry) {
        return Filters.and(Filters.eq(id(entry)), Filters.eq("beat", entry.beat()));
    }

    private String id(Entry entry) {
        return owner + "/" + entry.key();
    }

    private BsonDocument document(Entry entry) {
        return new BsonDocument("_id", new BsonString(id(entry)))
                .append("owner", new BsonString(owner))
                .append("name", new BsonString(entry.name()))
                .append("purpose", new BsonString(entry.purpose().name()))
                .append("fingerprint", new BsonString(entry.fingerprint()))
                .append("label", new BsonString(entry.label()))
                .append("identity", new BsonString(entry.identity()))
                .append("contents", new BsonString(entry.contents()))
                .append("events", new BsonInt64(entry.events()))
                .append("holder", new BsonString(entry.holder()))
                .append("beat", new BsonInt64(entry.beat()))
                .append("seen", new BsonInt64(entry.seen().toEpochMilli()));
    }

    /** Empty for a document that siemload did not write. */
    private Optional<Entry> entry(BsonDocument document) {
        boolean whole = List.of("name", "purpose", "fingerprint", "label", "identity", "contents", "holder").stream()
                        .allMatch(document::isString)
                && List.of("events", "beat", "seen").stream().allMatch(document::isNumber);
        if (!whole) {
            return Optional.empty();
        }
        return Arrays.stream(Purpose.values())
                .filter(purpose -> purpose.name().equals(text(document, "purpose")))
                .findFirst()
                .map(purpose -> new Entry(
                        text(document, "name"),
                        purpose,
                        text(document, "fingerprint"),
                        text(document, "label"),
                        text(document, "identity"),
                        text(document, "contents"),
                        number(document, "events"),
                        text(document, "holder"),
                        number(document, "beat"),
                        Instant.ofEpochMilli(number(document, "seen"))))
                .filter(entry ->
                        document.isString("_id") && text(document, "_id").equals(id(entry)));
    }

    private static String text(BsonDocument document, String key) {
        return document.getString(key).getValue();
    }

    private static long number(BsonDocument document, String key) {
        return document.getNumber(key).longValue();
    }

    private static <T> T asked(String tried, Supplier<T> question) {
        try {
            return question.get();
        } catch (MongoException e) {
            throw MongodbErrors.outsideRun("cannot " + tried, e);
        }
    }
}
