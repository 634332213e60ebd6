package siemload.run.procedure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import siemload.config.DaemonThread;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.query.Search;

/** A user who searches again as soon as an answer is there. Started once; all methods may be called from any thread. */
final class ClosedLoopReader implements AutoCloseable {
    private final SearchSession session;
    private final IntFunction<Search> searches;
    private final Thread thread;
    private volatile LatencySamples times = new LatencySamples();
    private volatile Optional<SearchException> failure = Optional.empty();
    private volatile boolean open = true;

    /** @param searches what is searched, by the number of the search from 0 on; asked on the user's thread */
    ClosedLoopReader(SearchSession session, IntFunction<Search> searches) {
        this.session = session;
        this.searches = searches;
        this.thread = DaemonThread.of("siemload-reader", this::read);
    }

    void start() {
        thread.start();
    }

    /** From now on the times of searches that begin go there. */
    void recordInto(LatencySamples other) {
        times = other;
    }

    /** Why the user gave up, where that is so. */
    Optional<SearchException> failure() {
        return failure;
    }

    void cancel() {
        open = false;
        session.cancel();
    }

    private void read() {
        try (session) {
            for (int number = 0; open; number++) {
                Search search = searches.apply(number);
                LatencySamples mine = times;
                mine.add(TimedSearch.read(search, session).lastEventMicros());
            }
        } catch (SearchException failed) {
            if (open) {
                failure = Optional.of(failed);
            }
        }
    }

    /** Lets the search under way end, and the user go. */
    @Override
    public void close() {
        open = false;
        DaemonThread.awaitEnd(List.of(thread), Duration.ofSeconds(30));
    }
}
