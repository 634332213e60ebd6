package siemload.load;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Predicate;
import siemload.database.RowReader;
import siemload.database.SearchSession;
import siemload.query.Search;

/**
 * The connections of a replay. A recorded session keeps the one that it was given until it ends. Where there are fewer than sessions,
 * one that thinks may lose it to one that asks, and where all of them are busy, whoever asks waits for the next, first come, first
 * served. Thread-safe.
 */
final class ReplayConnections {
    private final Queue<SearchSession> free;
    /** Of sessions that think; whoever has thought the longest comes first. */
    private final Map<Integer, SearchSession> kept = new LinkedHashMap<>();

    private final Queue<Waiting> waiting = new ArrayDeque<>();

    ReplayConnections(List<SearchSession> all) {
        this.free = new ArrayDeque<>(all);
    }

    /** Who waits, and for what. */
    private record Waiting(Predicate<Leased> taker) {}

    /** A connection in the hands of one session. */
    record Leased(SearchSession session) implements OwnReading {
        @Override
        public long read(Search search, RowReader rows) {
            return session.search(search, rows);
        }

        @Override
        public long seenFromNanos(long startNanos) {
            return startNanos;
        }
    }

    /**
     * Asks for a connection; the taker is called once, at once or on the thread that gives one back, and says whether it still wants it.
     *
     * @param session the number of the recorded session
     * @return whether it was at once
     */
    boolean take(int session, Predicate<Leased> taker) {
        Optional<SearchSession> found = find(session, taker);
        found.map(Leased::new).filter(leased -> !taker.test(leased)).ifPresent(this::pass);
        return found.isPresent();
    }

    private synchronized Optional<SearchSession> find(int session, Predicate<Leased> taker) {
        Optional<SearchSession> found = Optional.ofNullable(kept.remove(session))
                .or(() -> Optional.ofNullable(free.poll()))
                .or(this::eldest);
        if (found.isEmpty()) {
            waiting.add(new Waiting(taker));
        }
        return found;
    }

    private Optional<SearchSession> eldest() {
        Iterator<SearchSession> thinking = kept.values().iterator();
        if (!thinking.hasNext()) {
            return Optional.empty();
        }
        SearchSession connection = thinking.next();
        thinking.remove();
        return Optional.of(connection);
    }

    /**
     * Gives it back when the answer is there.
     *
     * @param last whether the session asks nothing more
     */
    void give(int session, Leased leased, boolean last) {
        if (last || !isKept(session, leased)) {
            pass(leased);
        }
    }

    /** Unless somebody waits. */
    private synchronized boolean isKept(int session, Leased leased) {
        if (waiting.isEmpty()) {
            kept.put(session, leased.session());
            return true;
        }
        return false;
    }

    /** To the first of those who wait that still wants it; to whoever comes next, where nobody does. */
    private void pass(Leased leased) {
        Optional<Waiting> next = next(leased);
        while (next.isPresent() && !next.get().taker().test(leased)) {
            next = next(leased);
        }
    }

    private synchronized Optional<Waiting> next(Leased leased) {
        Optional<Waiting> next = Optional.ofNullable(waiting.poll());
        if (next.isEmpty()) {
            free.add(leased.session());
        }
        return next;
    }
}
