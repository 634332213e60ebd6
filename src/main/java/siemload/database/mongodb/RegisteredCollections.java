package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import siemload.database.registry.Entry;
import siemload.database.registry.ServerObjects;

/**
 * The collections that the registry tells of. They are the very ones if the server still has them under the UUID that it gave
 * them when they were made. Thread-safe.
 */
record RegisteredCollections(MongoDatabase database, MongoDatabase administration) implements ServerObjects {
    /** All names that siemload gives; nothing else is dropped, whatever stands in the registry. */
    private static final Pattern OURS = Pattern.compile("siemload_(?:data|run)_[A-Za-z0-9-]*_[0-9a-f]{8}");

    private static final JsonTemplate BEING_MADE = JsonTemplate.read("server/being-made.json");

    @Override
    public boolean isThere(Entry entry) {
        try {
            return !entry.identity().isEmpty()
                    && identity(entry.name()).filter(entry.identity()::equals).isPresent();
        } catch (MongoException e) {
            throw MongodbErrors.outsideRun("cannot look for the collection " + entry.name(), e);
        }
    }

    /** Sessions make no difference: a collection can be dropped while somebody searches it. */
    @Override
    public Drop drop(Entry entry, Sessions sessions) {
        try {
            Optional<String> identity = identity(entry.name());
            if (identity.isEmpty()) {
                return entry.identity().isEmpty() && isBeingMade(entry.name()) ? Drop.IN_USE : Drop.GONE;
            }
            boolean same = entry.identity().isEmpty() || identity.orElseThrow().equals(entry.identity());
            if (!same || !OURS.matcher(entry.name()).matches()) {
                return Drop.FOREIGN;
            }
            database.getCollection(entry.name()).drop();
            return Drop.GONE;
        } catch (MongoException e) {
            throw MongodbErrors.outsideRun("cannot drop the collection " + entry.name(), e);
        }
    }

    /** The UUID of the collection of this name; empty where there is none. */
    Optional<String> identity(String collection) {
        List<BsonDocument> found = database.listCollections(BsonDocument.class)
                .filter(Filters.eq("name", collection))
                .into(new ArrayList<>());
        return found.stream()
                .map(one -> one.getDocument("info").get("uuid"))
                .filter(BsonValue::isBinary)
                .map(uuid -> uuid.asBinary().asUuid().toString())
                .findFirst();
    }

    /** A server may go on with a copy for a process that was killed. */
    private boolean isBeingMade(String collection) {
        try {
            Map<String, BsonString> values = Map.of("collection", new BsonString(collection));
            return administration
                    .aggregate(BEING_MADE.pipeline(values), BsonDocument.class)
                    .iterator()
                    .hasNext();
        } catch (MongoException unknown) {
            return false;
        }
    }
}
