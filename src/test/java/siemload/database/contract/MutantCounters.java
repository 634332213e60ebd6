package siemload.database.contract;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import siemload.database.CounterReading;
import siemload.database.Counters;
import siemload.database.StatementSource;
import siemload.database.StatementTime;

/** What three searches would be, but for the fault. */
record MutantCounters(Fault fault, AtomicLong readings) implements Counters {
    @Override
    public CounterReading read() {
        long times = readings.incrementAndGet();
        StatementTime time = fault == Fault.COUNTS_TWO_SEARCHES_AS_ONE
                ? new StatementTime(2 * times, 0, times)
                : new StatementTime(3 * times, times * 3_600_000_000_000L, times);
        return CounterReading.NONE.with(Map.of("all", time));
    }

    @Override
    public StatementSource statements() {
        return StatementSource.of("the mutant", "something else");
    }

    @Override
    public List<String> gaps() {
        return List.of();
    }

    @Override
    public void close() {}
}
