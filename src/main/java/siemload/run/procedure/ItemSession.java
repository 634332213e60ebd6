package siemload.run.procedure;

import java.util.Optional;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.query.Order;
import siemload.results.LoggedJob.JobItem.Slot;

/** A session that works on items, one at a time. Used by one thread, except for {@link #cancel}. */
record ItemSession(Slot slot, SearchSession session, ItemSearches searches, Interruption interruption)
        implements AutoCloseable {

    /**
     * What came of an item.
     *
     * @param failed searches that failed, or were left out since the run was to end
     * @param rows of all its answers
     * @param answersHash of all its answers, in the order of its searches
     * @param firstFailure of its searches, in the server's words; empty where none failed
     */
    record Done(int ok, int failed, long rows, String answersHash, Optional<String> firstFailure) {}

    /** Whether it is to work on nothing any more. */
    boolean isOver() {
        return interruption.isAsked();
    }

    /** A search that fails does not keep the next ones from being asked: whoever audits wants to know all that can be known. */
    Done work(int item) {
        AnswerHash hash = new AnswerHash(Order.NEWEST_FIRST);
        Optional<String> firstFailure = Optional.empty();
        int ok = 0;
        long rows = 0;
        for (int number = 0; number < searches.count() && !interruption.isAsked(); number++) {
            try {
                TimedSearch read = TimedSearch.read(searches.search(item, number), session);
                hash.add(read.answersHash());
                rows += read.rows();
                ok++;
            } catch (SearchException failure) {
                firstFailure = firstFailure.or(() -> Optional.of(String.valueOf(failure.getMessage())));
            }
        }
        return new Done(ok, searches.count() - ok, rows, hash.toString(), firstFailure);
    }

    void cancel() {
        session.cancel();
    }

    @Override
    public void close() {
        session.close();
    }
}
