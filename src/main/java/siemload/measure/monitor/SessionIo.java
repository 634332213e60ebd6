package siemload.measure.monitor;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.TargetException;

/**
 * Measures what a database reads and writes for one or several sessions: the difference of the server's counters before and after. The
 * difference belongs to these sessions if nobody else uses the database meanwhile. The log, and anything outside of the run's tables, are
 * counted for the whole server. If the server does not show its counters, the measurement goes on without them. Used by one thread.
 */
public final class SessionIo implements AutoCloseable {
    private final Supplier<Optional<Counters>> opening;
    private Optional<Counters> counters = Optional.empty();
    private List<SearchSession> sessions = List.of();
    private Optional<CounterReading> before = Optional.empty();

    /** @param opening opens the counters of the database, if it has any; called when counters are needed, and again after closing */
    public SessionIo(Supplier<Optional<Counters>> opening) {
        this.opening = opening;
    }

    /** Opens the counters in advance, since opening them may take long while many sessions are busy. */
    public void open() {
        if (counters.isEmpty()) {
            counters = told(opening);
        }
    }

    /** Starts to count for these sessions of one server, which are idle now, start to work at once, and work for nobody else. */
    public void start(List<SearchSession> working) {
        sessions = List.copyOf(working);
        start(Counters::read);
    }

    /**
     * Starts to count for other sessions.
     *
     * @param reading takes a reading, which waits for the work of closed sessions if others have worked before
     */
    public void start(Function<Counters, CounterReading> reading) {
        open();
        before = read(reading);
    }

    /** Returns the counts since the start; empty if the database counts nothing or not yet, or was restarted, which resets counts. */
    public Optional<CounterReading> sinceStart() {
        return before.flatMap(then -> read(sessions.isEmpty() ? Counters::readSettled : Counters::read)
                .filter(now -> !now.restartedSince(then))
                .map(now -> now.since(then)));
    }

    private Optional<CounterReading> read(Function<Counters, CounterReading> reading) {
        return told(() -> counters.filter(open -> sessions.stream().allMatch(SearchSession::handInCounts))
                .map(reading));
    }

    private static <T> Optional<T> told(Supplier<Optional<T>> asked) {
        try {
            return asked.get();
        } catch (SearchException | TargetException untold) {
            return Optional.empty();
        }
    }

    /** Closes the connection; the next {@link #start} opens another one. */
    @Override
    public void close() {
        counters.ifPresent(Counters::close);
        counters = Optional.empty();
        before = Optional.empty();
    }
}
