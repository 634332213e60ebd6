package siemload.database.mongodb;

import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;

/**
 * mongo-java-server with seven corrections: it knows that nobody is logged in, its time, and what a test says is being inserted; it gives each collection a UUID; it says to be as new as the driver demands; it drops no index (it
 * builds none), since it would forget those of that name of all collections; and it orders texts by their UTF-8 bytes as
 * MongoDB does. It compares the characters of Java, which puts those beyond U+FFFF before U+E000; so on the way in the two
 * parts change places, and on the way out they change back.
 */
final class StandInBackend extends MemoryBackend {
    private static final int FIRST_SURROGATE = 0xD800;
    private static final int AFTER_SURROGATES = 0xE000;
    private static final int SURROGATES = AFTER_SURROGATES - FIRST_SURROGATE;
    private static final int OTHERS = 0x1_0000 - AFTER_SURROGATES;

    /** By database and collection, as long as it exists. */
    private final Map<String, UUID> numbers = new ConcurrentHashMap<>();

    /** The collections into which it says that something is being inserted. */
    private final Set<String> insertedInto = ConcurrentHashMap.newKeySet();

    private final AtomicInteger timesAsked = new AtomicInteger();

    /** Starts empty. @param major what it says to be the version of */
    StandInBackend(int major) {
        version(new MongoVersion() {
            @Override
            public List<Integer> getVersionArray() {
                return List.of(major, 0, 0);
            }

            @Override
            public int getWireVersion() {
                return 17;
            }
        });
    }

    /** From now on it says that something is being inserted into a collection. @param namespace with its database */
    void beginInsert(String namespace) {
        insertedInto.add(namespace);
    }

    /** And no more. */
    void endInsert(String namespace) {
        insertedInto.remove(namespace);
    }

    /** How often it has been asked what is being inserted. */
    int timesAsked() {
        return timesAsked.get();
    }

    private Optional<Document> insertsUnderWay(Document asked) {
        List<Document> stages = asked.get("pipeline") instanceof Collection<?> all
                ? all.stream().map(Document.class::cast).toList()
                : List.of();
        if (stages.stream().noneMatch(stage -> stage.containsKey("$currentOp"))) {
            return Optional.empty();
        }
        return stages.stream()
                .map(stage -> stage.get("$match"))
                .filter(match -> match instanceof Document wanted && "insert".equals(wanted.get("op")))
                .findFirst()
                .map(match -> {
                    timesAsked.incrementAndGet();
                    boolean isUnderWay = insertedInto.contains(((Document) match).get("ns"));
                    Document cursor = new Document("id", 0L)
                            .append("ns", "admin.$cmd.aggregate")
                            .append("firstBatch", isUnderWay ? List.of(new Document("op", "insert")) : List.of());
                    return new Document("cursor", cursor).append("ok", 1.0);
                });
    }

    @Override
    public Document handleMessage(MongoMessage message) {
        if (message.getDocument().containsKey("dropIndexes")) {
            return new Document("ok", 1.0);
        }
        if (message.getDocument().containsKey("connectionStatus")) {
            return new Document("authInfo", new Document("authenticatedUsers", List.of())).append("ok", 1.0);
        }
        if (message.getDocument().containsKey("hello")) {
            return new Document("localTime", Instant.now()).append("ok", 1.0);
        }
        Optional<Document> inserts = insertsUnderWay(message.getDocument());
        if (inserts.isPresent()) {
            return inserts.orElseThrow();
        }
        Document document = (Document) changed(message.getDocument(), StandInBackend::in);
        MongoMessage ordered = new MongoMessage(message.getChannel(), message.getHeader(), document);
        Document answer = (Document) changed(super.handleMessage(ordered), StandInBackend::out);
        if (document.containsKey("drop")) {
            numbers.remove(document.get("$db") + "." + document.get("drop"));
        }
        return document.containsKey("listCollections") ? numbered(answer, document.get("$db")) : answer;
    }

    private Document numbered(Document answer, Object database) {
        Collection<?> collections = (Collection<?>) ((Document) answer.get("cursor")).get("firstBatch");
        for (Object one : collections) {
            Document collection = (Document) one;
            String name = database + "." + collection.get("name");
            ((Document) collection.get("info"))
                    .put("uuid", numbers.computeIfAbsent(name, unknown -> UUID.randomUUID()));
        }
        return answer;
    }

    private static int in(int c) {
        return c < FIRST_SURROGATE ? c : c < AFTER_SURROGATES ? c + OTHERS : c - SURROGATES;
    }

    private static int out(int c) {
        return c < FIRST_SURROGATE ? c : c < FIRST_SURROGATE + OTHERS ? c + SURROGATES : c - OTHERS;
    }

    private static Object changed(Object value, IntUnaryOperator change) {
        if (value instanceof Document document) {
            Document changed = new Document();
            document.forEach((key, item) -> changed.put(key, changed(item, change)));
            return changed;
        } else if (value instanceof Collection<?> collection) {
            return collection.stream().map(item -> changed(item, change)).toList();
        } else if (value instanceof String text && text.chars().anyMatch(c -> c >= FIRST_SURROGATE)) {
            StringBuilder changed = new StringBuilder(text.length());
            text.chars().map(change).forEach(c -> changed.append((char) c));
            return changed.toString();
        }
        return value;
    }
}
