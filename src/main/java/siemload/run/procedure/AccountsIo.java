package siemload.run.procedure;

import java.util.List;
import java.util.Optional;
import siemload.database.CounterReading;
import siemload.database.Counters;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.TargetException;

/**
 * What the server read and wrote for transactions on accounts: the difference of its counters, where it lets us see them. Users who
 * are at work hand in what they counted up to a second later, so that as much of the time before the start may be in it. Used by
 * one thread.
 */
final class AccountsIo implements AutoCloseable {
    private final Store store;
    private Optional<Counters> counters = Optional.empty();
    private Optional<CounterReading> before = Optional.empty();

    AccountsIo(Store store) {
        this.store = store;
    }

    /** Opens the counters before they are needed: to connect may take long where many are at work. */
    AccountsIo prepared() {
        try {
            counters = store.openCounters();
        } catch (TargetException untold) {
            counters = Optional.empty();
        }
        return this;
    }

    /** Starts to count. */
    void start() {
        try {
            before = counters.map(Counters::read).filter(known -> !known.io().isEmpty());
        } catch (SearchException untold) {
            before = Optional.empty();
        }
        close();
    }

    /**
     * Once all have ended, adds what was counted to steps that have it for themselves; nothing where the server was started anew,
     * which forgets its counts.
     */
    void addTo(List<Step> steps) {
        before.ifPresent(then -> settled()
                .filter(now -> !now.restartedSince(then))
                .map(now -> now.since(then))
                .ifPresent(counted -> steps.forEach(step -> step.readAndWritten(counted))));
    }

    private Optional<CounterReading> settled() {
        try {
            return Optional.of(SettledCounters.of(store));
        } catch (SearchException | TargetException untold) {
            return Optional.empty();
        }
    }

    /** Gives the connection back. */
    @Override
    public void close() {
        counters.ifPresent(Counters::close);
        counters = Optional.empty();
    }
}
