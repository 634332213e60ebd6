package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.bson.BsonBinary;
import org.bson.Document;
import org.bson.types.Binary;
import siemload.database.registry.Entry;
import siemload.database.registry.ServerObjects;

/**
 * The collections that the registry tells of. They are the very ones if the server still has them under the UUID that it gave
 * them when they were made. Thread-safe.
 */
record RegisteredCollections(MongoDatabase database, MongoDatabase administration) implements ServerObjects {
    /** All names that siemload gives; nothing else is dropped, whatever stands in the registry. */
    private static final Pattern OURS = Pattern.compile("siemload_(?:data|run)_[A-Za-z0-9-]*_[0-9a-f]{8}");

    private static final BsonTemplate BEING_MADE = BsonTemplate.read("server", "being-made");
    private static final BsonTemplate BEING_WRITTEN = BsonTemplate.read("server", "being-written");
    private static final Duration LONGEST_INSERT = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = 20_000_000;

    @Override
    public boolean isThere(Entry entry) {
        return !entry.identity().isEmpty()
                && identity(database, entry.name())
                        .filter(entry.identity()::equals)
                        .isPresent();
    }

    /** Searches make no difference: a collection can be dropped while somebody searches it, but not while somebody inserts. */
    @Override
    public Drop drop(Entry entry, Sessions sessions) {
        Optional<String> identity = identity(database, entry.name());
        if (identity.isEmpty()) {
            return entry.identity().isEmpty() && isBeingMade(entry.name()) ? Drop.IN_USE : Drop.GONE;
        }
        boolean same = entry.identity().isEmpty() || identity.orElseThrow().equals(entry.identity());
        if (!same || !OURS.matcher(entry.name()).matches()) {
            return Drop.FOREIGN;
        }
        if (isBeingWritten(entry.name(), sessions)) {
            return Drop.IN_USE;
        }
        MongodbErrors.running("drop the collection " + entry.name(), database.getCollection(entry.name())::drop);
        return Drop.GONE;
    }

    /** The UUID of the collection of this name; empty where there is none. */
    static Optional<String> identity(MongoDatabase database, String collection) {
        List<Document> found = MongodbErrors.trying(
                "look for the collection " + collection,
                () -> database.listCollections()
                        .filter(Filters.eq("name", collection))
                        .into(new ArrayList<>()));
        return found.stream()
                .map(one -> one.get("info", new Document()).get("uuid"))
                .filter(uuid -> uuid != null)
                .map(uuid -> uuid instanceof Binary binary
                        ? new BsonBinary(binary.getType(), binary.getData())
                                .asUuid()
                                .toString()
                        : uuid.toString())
                .findFirst();
    }

    /** A server may go on with a copy for a process that was killed. */
    private boolean isBeingMade(String collection) {
        return isAtWork(BEING_MADE, Map.of("collection", collection));
    }

    /** And with an insert, which would make the collection anew where it is dropped meanwhile; an insert of this process's own ends. */
    private boolean isBeingWritten(String collection, Sessions sessions) {
        Duration patience = sessions == Sessions.END ? LONGEST_INSERT : Duration.ZERO;
        Map<String, String> inserted = Map.of("namespace", database.getName() + "." + collection);
        long start = System.nanoTime();
        while (isAtWork(BEING_WRITTEN, inserted)) {
            if (System.nanoTime() - start >= patience.toNanos()) {
                return true;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return false;
    }

    private boolean isAtWork(BsonTemplate operations, Map<String, String> values) {
        try {
            return administration
                    .aggregate(operations.pipeline(values))
                    .iterator()
                    .hasNext();
        } catch (MongoException unknown) {
            return false;
        }
    }
}
