package siemload.database.mongodb;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.bson.Document;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.CounterReading.Blocks;
import siemload.database.Counters.CounterReading.Category;
import siemload.database.Counters.CounterReading.Io;
import siemload.database.Counters.CounterReading.Relation;

/**
 * What the server's statistics mean as input and output: pages between WiredTiger's cache and its files, and their bytes
 * as they are in the cache, not compressed. Old versions of documents are among the rest. Memory is that of the process, and parts of
 * it: the cache, and what is allocated. Immutable.
 *
 * @param server the answer of serverStatus; empty if it was refused
 * @param collection the answer of $collStats; empty if it was refused
 */
record WiredTigerCounters(Document server, Document collection) {
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

    /** Levels of memory, and how many bytes their unit has. */
    private static final Map<String, Long> HELD = Map.of(
            "mem.resident", 1L << 20,
            "wiredTiger.cache.bytes currently in the cache", 1L,
            "tcmalloc.generic.current_allocated_bytes", 1L);

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
        Document own = section(collection, "storageStats.wiredTiger.cache");
        if (!own.isEmpty()) {
            data = cache(own);
            relations.put(new Relation(collectionName, Relation.Kind.TABLE), new Blocks(data.reads(), data.hits()));
            Document indexes = section(collection, "storageStats.indexDetails");
            for (String name : indexes.keySet()) {
                Io one = cache(section(indexes.get(name, new Document()), "cache"));
                relations.put(new Relation(name, Relation.Kind.INDEX), new Blocks(one.reads(), one.hits()));
                index = index.plus(one);
            }
            io.put(Category.DATA, data);
            io.put(Category.INDEX, index);
        }
        Document all = section(server, "wiredTiger.cache");
        if (!all.isEmpty()) {
            Document log = section(server, "wiredTiger.log");
            io.put(
                    Category.REDO,
                    new Io(0, 0, number(log, "log write operations"), number(log, "log bytes written"), 0));
            io.put(Category.REST, cache(all).less(data).less(index));
        }
        return new CounterReading(io, relations, counters()).holding(memory());
    }

    /** What the server does not tell, is missing: one without tcmalloc, or on a system that does not tell of processes. */
    private Map<String, Long> memory() {
        Map<String, Long> memory = new HashMap<>();
        HELD.forEach((name, unitBytes) -> told(name).ifPresent(held -> {
            if (held > 0) {
                memory.put(name, held * unitBytes);
            }
        }));
        return memory;
    }

    private Map<String, Long> counters() {
        Map<String, Long> counters = new HashMap<>();
        GROWING.forEach(name -> addAll(name, section(server, name), counters));
        OTHERS_THAT_GROW.forEach(name -> told(name).ifPresent(value -> counters.put(name, value)));
        return counters;
    }

    /** A number of serverStatus, by the name of its section and its own. */
    private OptionalLong told(String name) {
        int dot = name.lastIndexOf('.');
        Object value = section(server, name.substring(0, dot)).get(name.substring(dot + 1));
        return value instanceof Number number ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
    }

    private static void addAll(String name, Document section, Map<String, Long> counters) {
        section.forEach((key, value) -> {
            if (value instanceof Number number) {
                counters.put(name + "." + key, number.longValue());
            } else if (value instanceof Document inner) {
                addAll(name + "." + key, inner, counters);
            }
        });
    }

    private static Io cache(Document cache) {
        long read = number(cache, "pages read into cache");
        return new Io(
                read,
                number(cache, "bytes read into cache"),
                number(cache, "pages written from cache"),
                number(cache, "bytes written from cache"),
                Math.max(0, number(cache, "pages requested from the cache") - read));
    }

    private static Document section(Document document, String path) {
        return document.getEmbedded(List.of(path.split("\\.", -1)), new Document());
    }

    /** A number; 0 if there is none: servers leave out what they do not know. */
    static long number(Document document, String key) {
        return document.get(key) instanceof Number number ? number.longValue() : 0;
    }
}
