package siemload.measure.monitor;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.SearchSession;

/**
 * What a database reads and writes while a session does something, or several: the difference of the server's counters around it. That is
 * the session's own where nobody else works with the database meanwhile; the log, and what is not of the run's tables, are
 * counted for the whole server. Used by one thread.
 */
public final class SessionIo implements AutoCloseable {
    private final Supplier<Optional<Counters>> opening;
    private Optional<Counters> counters = Optional.empty();
    private Optional<CounterReading> before = Optional.empty();

    /** @param opening opens the counters of the database, if it has any; called when they are needed, and again after closing */
    public SessionIo(Supplier<Optional<Counters>> opening) {
        this.opening = opening;
    }

    /**
     * Starts to count for these sessions, which work at once, on the same server and for nobody else; none of them is at work now.
     *
     * @throws siemload.database.SearchException if the counters cannot be read
     * @throws siemload.database.TargetException if the database does not let us open them
     */
    public void start(List<SearchSession> sessions) {
        if (counters.isEmpty()) {
            counters = opening.get();
        }
        before = counters.filter(open -> areHandedIn(sessions)).map(Counters::read);
    }

    /**
     * What was counted since then; empty where the database does not count, or not at once.
     *
     * @throws siemload.database.SearchException if the counters cannot be read
     */
    public Optional<CounterReading> sinceStart(List<SearchSession> sessions) {
        return before.filter(then -> areHandedIn(sessions))
                .map(then -> counters.orElseThrow().read().since(then));
    }

    private static boolean areHandedIn(List<SearchSession> sessions) {
        return sessions.stream().allMatch(SearchSession::handInCounts);
    }

    /** Gives the connection back; the next {@link #start} opens another one. */
    @Override
    public void close() {
        counters.ifPresent(Counters::close);
        counters = Optional.empty();
        before = Optional.empty();
    }
}
