package siemload.database.mongodb;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import siemload.database.CounterReading;
import siemload.database.CounterReading.Blocks;
import siemload.database.CounterReading.Category;
import siemload.database.CounterReading.Io;
import siemload.database.CounterReading.Relation;

/**
 * What the server's statistics mean as input and output: pages between WiredTiger's cache and its files, and their bytes
 * as they are in the cache, not compressed. Old versions of documents are among the rest. Immutable.
 *
 * @param server the answer of serverStatus; empty if it was refused
 * @param collection the answer of $collStats; empty if it was refused
 */
record WiredTigerCounters(BsonDocument server, BsonDocument collection) {
    /** Sections of serverStatus in which every number only grows. */
    private static final List<String> GROWING = List.of(
            "opcounters", "metrics.document", "metrics.queryExecutor", "metrics.operation", "wiredTiger.block-manager");

    private static final List<String> OTHERS_THAT_GROW = List.of(
            "network.bytesIn",
            "network.bytesOut",
            "network.numRequests",
            "wiredTiger.cache.pages requested from the cache",
            "wiredTiger.cache.pages read into cache",
            "wiredTiger.cache.pages written from cache",
            "wiredTiger.cache.bytes read into cache",
            "wiredTiger.cache.bytes written from cache",
            "wiredTiger.log.log bytes written",
            "wiredTiger.log.log write operations",
            "wiredTiger.log.log sync operations");

    /** Whether the server has this storage engine and tells of it. */
    boolean hasWiredTiger() {
        return !section(server, "wiredTiger.cache").isEmpty()
                || !section(collection, "storageStats.wiredTiger").isEmpty();
    }

    /** Reads all counters. */
    CounterReading reading(String collectionName) {
        Map<Category, Io> io = new EnumMap<>(Category.class);
        Map<Relation, Blocks> relations = new HashMap<>();
        Io data = Io.NONE;
        Io index = Io.NONE;
        BsonDocument own = section(collection, "storageStats.wiredTiger.cache");
        if (!own.isEmpty()) {
            data = cache(own);
            relations.put(new Relation(collectionName, Relation.Kind.TABLE), new Blocks(data.reads(), data.hits()));
            BsonDocument indexes = section(collection, "storageStats.indexDetails");
            for (String name : indexes.keySet()) {
                Io one = cache(section(indexes.getDocument(name), "cache"));
                relations.put(new Relation(name, Relation.Kind.INDEX), new Blocks(one.reads(), one.hits()));
                index = index.plus(one);
            }
            io.put(Category.DATA, data);
            io.put(Category.INDEX, index);
        }
        BsonDocument all = section(server, "wiredTiger.cache");
        if (!all.isEmpty()) {
            BsonDocument log = section(server, "wiredTiger.log");
            io.put(
                    Category.REDO,
                    new Io(0, 0, number(log, "log write operations"), number(log, "log bytes written"), 0));
            io.put(Category.REST, cache(all).less(data).less(index));
        }
        return new CounterReading(io, relations, counters());
    }

    private Map<String, Long> counters() {
        Map<String, Long> counters = new HashMap<>();
        GROWING.forEach(name -> addAll(name, section(server, name), counters));
        for (String name : OTHERS_THAT_GROW) {
            int dot = name.lastIndexOf('.');
            BsonDocument section = section(server, name.substring(0, dot));
            if (section.containsKey(name.substring(dot + 1))) {
                counters.put(name, number(section, name.substring(dot + 1)));
            }
        }
        return counters;
    }

    private static void addAll(String name, BsonDocument section, Map<String, Long> counters) {
        section.forEach((key, value) -> {
            if (value.isNumber()) {
                counters.put(name + "." + key, value.asNumber().longValue());
            } else if (value.isDocument()) {
                addAll(name + "." + key, value.asDocument(), counters);
            }
        });
    }

    private static Io cache(BsonDocument cache) {
        long read = number(cache, "pages read into cache");
        return new Io(
                read,
                number(cache, "bytes read into cache"),
                number(cache, "pages written from cache"),
                number(cache, "bytes written from cache"),
                Math.max(0, number(cache, "pages requested from the cache") - read));
    }

    private static long number(BsonDocument document, String key) {
        BsonValue value = document.get(key);
        return value != null && value.isNumber() ? value.asNumber().longValue() : 0;
    }

    /** A document within a document by its path; empty if there is none. */
    private static BsonDocument section(BsonDocument document, String path) {
        BsonDocument section = document;
        for (String key : path.split("\\.", -1)) {
            BsonValue value = section.get(key);
            if (value == null || !value.isDocument()) {
                return new BsonDocument();
            }
            section = value.asDocument();
        }
        return section;
    }
}
