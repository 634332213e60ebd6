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
 * What a database reads and writes while a session does something, or several: the difference of the server's counters around it. That is
 * the session's own where nobody else works with the database meanwhile; the log, and what is not of the run's tables, are
 * counted for the whole server. A server that does not let us see its counters keeps nobody from measuring. Used by one thread.
 */
public final class SessionIo implements AutoCloseable {
    private final Supplier<Optional<Counters>> opening;
    private Optional<Counters> counters = Optional.empty();
    private List<SearchSession> sessions = List.of();
    private Optional<CounterReading> before = Optional.empty();

    /** @param opening opens the counters of the database, if it has any; called when they are needed, and again after closing */
    public SessionIo(Supplier<Optional<Counters>> opening) {
        this.opening = opening;
    }

    /** Opens the counters before they are needed: that may take long where many are at work. */
    public void open() {
        if (counters.isEmpty()) {
            counters = told(opening);
        }
    }

    /** Starts to count for these sessions, which work at once, on the same server and for nobody else; none of them is at work now. */
    public void start(List<SearchSession> working) {
        sessions = List.copyOf(working);
        start(Counters::read);
    }

    /**
     * Starts to count for whoever works there.
     *
     * @param reading settled where others have just worked there, and ended
     */
    public void start(Function<Counters, CounterReading> reading) {
        open();
        before = read(reading);
    }

    /**
     * What was counted since then; empty where the database does not count, or not at once, and where it was started anew, which forgets
     * its counts.
     */
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

    /** Gives the connection back; the next {@link #start} opens another one. */
    @Override
    public void close() {
        counters.ifPresent(Counters::close);
        counters = Optional.empty();
        before = Optional.empty();
    }
}
