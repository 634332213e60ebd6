package siemload.run.procedure;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import siemload.config.Choices;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.SearchException;
import siemload.query.Page;
import siemload.query.Search;
import siemload.results.StepRecord;
import siemload.scenario.CacheState;

/** A step while it is done. Used by one thread. */
public final class Step {
    private static final double BYTES_OF_KILOBYTE = 1_000;

    private final String name;
    private final Map<String, String> facts = new TreeMap<>();
    private final Map<String, Double> figures = new TreeMap<>();
    private List<Io> io = List.of();

    /** @param name what runs are compared by, the same in every run */
    public Step(String name) {
        this.name = name;
    }

    /** Adds something that is no number. */
    public Step fact(String key, Object value) {
        facts.put(key, String.valueOf(value));
        return this;
    }

    /** Adds the facts of a search. */
    Step search(Search search) {
        fact("search", search.name());
        fact("order", Choices.camelCase(search.order()));
        return fact("page", search.page() instanceof Page.Numbered page ? page.size() : "whole");
    }

    /** Adds what a search took and gave. */
    Step timed(TimedSearch search) {
        fact("answersHash", search.answersHash());
        figure("firstEventMicros", search.firstEventMicros());
        figure("lastEventMicros", search.lastEventMicros());
        figure("rows", search.rows());
        return figure("bytes", search.bytes());
    }

    /** Adds what the server counted meanwhile: blocks of tables and indexes, and all that it read and wrote by purpose. */
    Step counted(CounterReading counted) {
        Io blocks = counted.tablesAndIndexes();
        readAndWritten(counted);
        return figure("blocksRead", blocks.reads())
                .figure("blocksHit", blocks.hits())
                .figure("blocksTouched", blocks.reads() + blocks.hits());
    }

    /** Adds what the server read and wrote meanwhile, by purpose. */
    Step readAndWritten(CounterReading counted) {
        io = List.copyOf(counted.io().values());
        return this;
    }

    /** Adds the state that the caches were brought into. */
    Step caches(CacheState state) {
        return fact("caches", Choices.camelCase(state));
    }

    /** Adds a number; its name bears the unit. */
    public Step figure(String key, double value) {
        figures.put(key, value);
        return this;
    }

    /** A number that was added; 0 where none was. */
    double figure(String key) {
        return figures.getOrDefault(key, 0.0);
    }

    /** Adds a whole number; its name bears the unit. */
    public Step figure(String key, long value) {
        return figure(key, (double) value);
    }

    /** Adds how fast events were stored, and how large they are; a kilobyte is 1,000 bytes of IDEA JSON. */
    Step stored(long events, long bytes, double seconds) {
        figure("rawBytesPerEvent", (double) bytes / events);
        figure("eventsPerSecond", events / seconds);
        return figure("kilobytesPerSecond", bytes / seconds / BYTES_OF_KILOBYTE);
    }

    /** Says why the step could not be done; what was measured of it does not count. */
    Step failed(SearchException failure) {
        return failed(String.valueOf(failure.getMessage()));
    }

    /** Ends the step as failed, without figures. */
    Step failed(String why) {
        figures.clear();
        io = List.of();
        return fact(StepRecord.ERROR, why);
    }

    /** Why it failed; empty where it did not. */
    Optional<String> error() {
        return Optional.ofNullable(facts.get(StepRecord.ERROR));
    }

    /** What run.json holds. */
    public StepRecord done() {
        return new StepRecord(name, facts, figures, io);
    }
}
