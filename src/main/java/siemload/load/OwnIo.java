package siemload.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import siemload.database.Counters.CounterReading.Category;
import siemload.database.Counters.CounterReading.Io;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.TargetPlugin.OwnCounts;
import siemload.measure.TickIo;

/**
 * Counts what single searches of one worker's session read and write, where they ask for it. The counts are only theirs if they
 * were 0 before: they are set to 0 after each counted search, and after others as soon as the worker has nothing to do. Used by
 * the worker's thread.
 */
final class OwnIo {
    private final Optional<OwnCounts> counts;
    private State state = State.UNKNOWN;

    private OwnIo(Optional<OwnCounts> counts) {
        this.counts = counts;
    }

    private enum State {
        /** Something was done since the counts were 0. */
        UNKNOWN,
        ZERO,
        COUNTING
    }

    /** Counts nothing. */
    static OwnIo off() {
        return new OwnIo(Optional.empty());
    }

    /** Counts what is asked for, if the server tells of single sessions; at 0 before the first search. */
    static OwnIo of(SearchSession session) {
        OwnIo own = new OwnIo(session.ownCounts());
        own.rest();
        return own;
    }

    /** The worker has nothing to do. */
    void rest() {
        if (counts.isPresent() && state == State.UNKNOWN) {
            try {
                state = counts.orElseThrow().reset() ? State.ZERO : State.UNKNOWN;
            } catch (SearchException untold) {
                state = State.UNKNOWN;
            }
        }
    }

    /** A search begins. One that comes before the counts could be set to 0 is not counted. */
    void begin(SearchRequest request) {
        if (counts.isEmpty()) {
            return;
        }
        boolean counting = request.countsIo() && state == State.ZERO;
        state = State.UNKNOWN;
        if (counting) {
            try {
                counts.orElseThrow().start();
                state = State.COUNTING;
            } catch (SearchException lost) {
                // The search itself meets the same trouble and reports it.
            }
        }
    }

    /** It was answered, and its time is over. @return what it read and wrote, where that was counted */
    TickIo answered() {
        if (state != State.COUNTING) {
            return TickIo.NONE;
        }
        state = State.UNKNOWN;
        try {
            TickIo counted = tickIo(counts.orElseThrow().take());
            state = State.ZERO;
            return counted;
        } catch (SearchException untold) {
            return TickIo.NONE;
        }
    }

    /** From what was counted by category; nothing, where that is empty. */
    static TickIo tickIo(Map<Category, Io> counted) {
        Map<String, Long> figures = new LinkedHashMap<>();
        counted.forEach((category, io) -> {
            switch (category) {
                case DATA, INDEX, REST -> {
                    figures.put(category.label() + "BlocksRead", io.reads());
                    figures.put(category.label() + "BlocksHit", io.hits());
                }
                case REDO, UNDO -> figures.put(category.label() + "Bytes", io.writtenBytes());
                case TEMP -> {
                    figures.put("tempBlocksRead", io.reads());
                    figures.put("tempBlocksWritten", io.writes());
                }
            }
        });
        return new TickIo(figures);
    }

    /** It failed: what it did up to then is nobody's figure. */
    void failed() {
        state = State.UNKNOWN;
    }
}
