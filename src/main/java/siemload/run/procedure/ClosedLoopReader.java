package siemload.run.procedure;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
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
        this.thread = new Thread(this::read, "siemload-reader");
        thread.setDaemon(true);
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
        try {
            thread.join(TimeUnit.SECONDS.toMillis(30));
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
