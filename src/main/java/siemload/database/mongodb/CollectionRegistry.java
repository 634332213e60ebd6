package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import siemload.database.registry.Entry;
import siemload.database.registry.RegistryStorage;

/**
 * The registry as a collection. What lies in it without being an entry of the user who is logged in is left alone.
 * Thread-safe.
 */
final class CollectionRegistry implements RegistryStorage {
    static final String COLLECTION = "siemload_registry";

    private static final String READ = "read siemload's registry";
    private static final String WRITE = "write into siemload's registry";

    private final MongoDatabase database;
    private final MongoCollection<Document> entries;
    private final String owner;

    CollectionRegistry(MongoDatabase database) {
        this.database = database;
        this.entries = database.getCollection(COLLECTION);
        this.owner = MongodbErrors.trying("ask the server who is logged in", () -> owner(database));
    }

    /** Who is logged in, with the database that knows him; nobody where the server asks for no user. */
    private static String owner(MongoDatabase database) {
        return database
                .runCommand(new Document("connectionStatus", 1))
                .get("authInfo", new Document())
                .getList("authenticatedUsers", Document.class, List.of())
                .stream()
                .map(user -> user.getString("user") + "@" + user.getString("db"))
                .findFirst()
                .orElse("");
    }

    @Override
    public Instant now() {
        return MongodbErrors.trying(
                "ask the server for its time",
                () -> database.runCommand(new Document("hello", 1))
                        .getDate("localTime")
                        .toInstant());
    }

    @Override
    public List<Entry> entries() {
        return MongodbErrors.trying(READ, () -> {
            List<Entry> found = new ArrayList<>();
            entries.find(Filters.eq("owner", owner))
                    .forEach(document -> Entry.of(document)
                            .filter(entry -> id(entry).equals(document.get("_id")))
                            .ifPresent(found::add));
            return found;
        });
    }

    @Override
    public boolean insert(Entry entry) {
        return MongodbErrors.trying(WRITE, () -> {
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
        Document update = new Document("$set", new Document(changed.values()));
        return MongodbErrors.trying(
                WRITE, () -> entries.updateOne(unchanged(entry), update).getMatchedCount() == 1);
    }

    @Override
    public boolean delete(Entry entry) {
        return MongodbErrors.trying(
                WRITE, () -> entries.deleteOne(unchanged(entry)).getDeletedCount() == 1);
    }

    private Bson unchanged(Entry entry) {
        return Filters.and(Filters.eq(id(entry)), Filters.eq("beat", entry.beat()));
    }

    private String id(Entry entry) {
        return owner + "/" + entry.key();
    }

    private Document document(Entry entry) {
        Document document = new Document("_id", id(entry)).append("owner", owner);
        document.putAll(entry.values());
        return document;
    }
}
