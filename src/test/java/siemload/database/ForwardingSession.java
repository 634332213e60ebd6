package siemload.database;

import java.util.List;
import java.util.Optional;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;

/** A session that is another one but for what it does itself: whatever it does not say goes to {@link #session}. */
public interface ForwardingSession extends SearchSession {
    /** The one that does the work. */
    SearchSession session();

    @Override
    default long search(Search search, RowReader rows) {
        return session().search(search, rows);
    }

    @Override
    default long count(Search search) {
        return session().count(search);
    }

    @Override
    default List<Summary.Line> summarize(Search search, Summary summary) {
        return session().summarize(search, summary);
    }

    @Override
    default void store(Search search, Summary.Hours summary, String trend) {
        session().store(search, summary, trend);
    }

    @Override
    default ResultCursor open(Search search) {
        return session().open(search);
    }

    @Override
    default Plan explain(Search search) {
        return session().explain(search);
    }

    @Override
    default Plan explain(Search search, Summary summary) {
        return session().explain(search, summary);
    }

    @Override
    default Plan explainStoring(Search search, Summary.Hours summary) {
        return session().explainStoring(search, summary);
    }

    @Override
    default Plan expect(Search search) {
        return session().expect(search);
    }

    @Override
    default Optional<String> statement(Search search, PageClass page) {
        return session().statement(search, page);
    }

    @Override
    default Optional<String> statementOfCursors() {
        return session().statementOfCursors();
    }

    @Override
    default boolean handInCounts() {
        return session().handInCounts();
    }

    @Override
    default void cancel() {
        session().cancel();
    }

    @Override
    default void close() {
        session().close();
    }
}
