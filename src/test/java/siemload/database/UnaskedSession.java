package siemload.database;

import java.util.List;
import siemload.database.SearchSession.RowReader;
import siemload.query.Search;
import siemload.query.Summary;

/** A session of tests that ask it for one thing: whatever else is asked fails. */
public abstract class UnaskedSession implements SearchSession {
    @Override
    public long search(Search search, RowReader rows) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long count(Search search) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Plan explain(Search search) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void cancel() {}

    @Override
    public void close() {}
}
