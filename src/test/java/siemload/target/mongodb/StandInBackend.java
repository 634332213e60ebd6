package siemload.target.mongodb;

import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.IndexNotFoundException;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.util.Collection;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * mongo-java-server with three corrections: it says to be as new as the driver demands; it drops no index that is there (it
 * builds none), since it would forget those of that name of all collections; and it orders texts by their UTF-8 bytes as
 * MongoDB does. It compares the characters of Java, which puts those beyond U+FFFF before U+E000; so on the way in the two
 * parts change places, and on the way out they change back.
 */
final class StandInBackend extends MemoryBackend {
    private static final int FIRST_SURROGATE = 0xD800;
    private static final int AFTER_SURROGATES = 0xE000;
    private static final int SURROGATES = AFTER_SURROGATES - FIRST_SURROGATE;
    private static final int OTHERS = 0x1_0000 - AFTER_SURROGATES;

    /** @param major what it says to be the version of */
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

    @Override
    public Document handleMessage(MongoMessage message) {
        if (message.getDocument().containsKey("dropIndexes")) {
            return indexDropped(message);
        }
        Document document = (Document) changed(message.getDocument(), StandInBackend::in);
        MongoMessage ordered = new MongoMessage(message.getChannel(), message.getHeader(), document);
        return (Document) changed(super.handleMessage(ordered), StandInBackend::out);
    }

    private Document indexDropped(MongoMessage message) {
        Document asked = message.getDocument();
        Document list = new Document("listIndexes", asked.get("dropIndexes")).append("$db", asked.get("$db"));
        Document indexes = super.handleMessage(new MongoMessage(message.getChannel(), message.getHeader(), list));
        Collection<?> there = (Collection<?>) ((Document) indexes.get("cursor")).get("firstBatch");
        if (there.stream().noneMatch(index -> ((Document) index).get("name").equals(asked.get("index")))) {
            throw new IndexNotFoundException("index not found with name [" + asked.get("index") + "]");
        }
        return new Document("ok", 1.0);
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
