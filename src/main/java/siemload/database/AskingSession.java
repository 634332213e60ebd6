package siemload.database;

import java.time.Instant;
import java.util.List;
import siemload.query.Search;
import siemload.query.Summary;

/** A session that asks statements of users. Nobody knows what they are about, so that they are neither counted apart nor summed up. */
public interface AskingSession extends SearchSession {

    /** Whoever wants to count rows must write a statement that does. */
    @Override
    default long count(Search search) {
        throw new UnsupportedOperationException("the rows of a statement are not counted apart");
    }

    @Override
    default List<Summary.Line> summarize(Search search, Summary summary) {
        throw new UnsupportedOperationException("a statement is not summed up");
    }

    @Override
    default Plan explain(Search search, Summary summary) {
        throw new UnsupportedOperationException("a statement is not summed up");
    }

    /** A row of what such a statement answers, which is no event. */
    interface AnsweredRow extends RowReader.Row {

        @Override
        default String id() {
            throw new UnsupportedOperationException("a row of a statement has no id");
        }

        @Override
        default Instant detectTime() {
            throw new UnsupportedOperationException("a row of a statement has no detect time");
        }
    }
}
