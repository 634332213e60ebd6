package siemload.run.procedure;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import siemload.config.Choices;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.Store;
import siemload.query.Page;
import siemload.query.Search;
import siemload.results.StepRecord;
import siemload.scenario.CacheState;

/** A step while it is done. Used by one thread. */
final class Step {
    private final String name;
    private final Map<String, String> facts = new TreeMap<>();
    private final Map<String, Double> figures = new TreeMap<>();
    private List<Io> io = List.of();

    /** @param name what runs are compared by, the same in every run */
    Step(String name) {
        this.name = name;
    }

    Step fact(String key, Object value) {
        facts.put(key, String.valueOf(value));
        return this;
    }

    Step search(Search search) {
        fact("search", search.name());
        fact("order", Choices.camelCase(search.order()));
        return fact("page", search.page() instanceof Page.Numbered page ? page.size() : "whole");
    }

    Step caches(CacheState state) {
        return fact("caches", Choices.camelCase(state));
    }

    /** Adds a number; its name bears the unit. */
    Step figure(String key, double value) {
        figures.put(key, value);
        return this;
    }

    /** Adds a whole number; its name bears the unit. */
    Step figure(String key, long value) {
        return figure(key, (double) value);
    }

    /** A number that was added; 0 where none was. */
    double figure(String key) {
        return figures.getOrDefault(key, 0.0);
    }

    Step timed(TimedSearch search) {
        return fact("answersHash", search.answersHash())
                .figure("firstEventMicros", search.firstEventMicros())
                .figure("lastEventMicros", search.lastEventMicros())
                .figure("rows", search.rows())
                .figure("bytes", search.bytes());
    }

    /** Adds what the server counted meanwhile: blocks of tables and indexes, and all that it read and wrote by purpose. */
    Step counted(CounterReading counted) {
        Io blocks = counted.tablesAndIndexes();
        return readAndWritten(counted)
                .figure("blocksRead", blocks.reads())
                .figure("blocksHit", blocks.hits())
                .figure("blocksTouched", blocks.reads() + blocks.hits());
    }

    Step readAndWritten(CounterReading counted) {
        io = List.copyOf(counted.io().values());
        return this;
    }

    /** Adds how long it took, and how many events a second that is. */
    Step events(long events, double seconds) {
        return figure("seconds", seconds)
                .figure("events", events)
                .figure("eventsPerSecond", seconds == 0 ? 0 : events / seconds);
    }

    /** Adds the size of all tables and indexes, where the server tells it. */
    Step sized(Store store) {
        return sized(store.relationBytes().values());
    }

    Step sized(Collection<Long> bytes) {
        long all = bytes.stream().mapToLong(Long::longValue).sum();
        return all == 0 ? this : figure("bytes", all);
    }

    /** Ends the step as failed, without figures: what was measured of it does not count. */
    Step failed(String why) {
        figures.clear();
        io = List.of();
        return fact(StepRecord.ERROR, why);
    }

    /** Why it failed; empty where it did not. */
    Optional<String> error() {
        return Optional.ofNullable(facts.get(StepRecord.ERROR));
    }

    StepRecord done() {
        return new StepRecord(name, facts, figures, io);
    }
}
