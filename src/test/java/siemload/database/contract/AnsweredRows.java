package siemload.database.contract;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.query.Order;
import siemload.query.PageKey;
import siemload.query.Search;

/** All that a search answered, to be held against the answer of another target; the rows of an unsorted one are sorted by id. Immutable. */
record AnsweredRows(List<Line> rows) {

    AnsweredRows {
        rows = List.copyOf(rows);
    }

    /** One row with all its values. */
    record Line(String id, Instant detectTime, String idea) {
        static Line of(RowReader.Row row) {
            return new Line(row.id(), row.detectTime(), new String(row.idea(), StandardCharsets.UTF_8));
        }

        PageKey key() {
            return new PageKey(detectTime, id);
        }
    }

    /**
     * Asks a session.
     *
     * @throws IllegalStateException if it says another number of rows than it handed over
     */
    static AnsweredRows of(SearchSession session, Search search) {
        return of(session, search, Line::of);
    }

    /** The same, with a line of one's own for each row: who keeps many answers keeps each event but once. */
    static AnsweredRows of(SearchSession session, Search search, Function<RowReader.Row, Line> line) {
        List<Line> rows = new ArrayList<>();
        long count = session.search(search, row -> rows.add(line.apply(row)));
        if (count != rows.size()) {
            throw new IllegalStateException("the search says " + count + " rows but handed over " + rows.size());
        }
        if (search.order() == Order.UNSORTED) {
            rows.sort(Comparator.comparing(Line::id));
        }
        return new AnsweredRows(rows);
    }

    List<String> ids() {
        return rows.stream().map(Line::id).toList();
    }
}
