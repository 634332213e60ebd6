package siemload.database.contract;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import siemload.database.RowReader;
import siemload.database.SearchSession;
import siemload.query.Order;
import siemload.query.PageKey;
import siemload.query.Search;

/** All that a search answered; the rows of an unsorted one are put into an order to be compared. */
record ContractAnswer(List<Line> rows) {

    /** One row with all its values. */
    record Line(String id, Instant detectTime, String idea) {
        static Line of(RowReader.Row row) {
            return new Line(row.id(), row.detectTime(), new String(row.idea(), StandardCharsets.UTF_8));
        }

        PageKey key() {
            return new PageKey(detectTime, id);
        }
    }

    static ContractAnswer of(SearchSession session, Search search) {
        List<Line> rows = new ArrayList<>();
        long count = session.search(search, row -> rows.add(Line.of(row)));
        if (count != rows.size()) {
            throw new AssertionError("the search says " + count + " rows but handed over " + rows.size());
        }
        return of(search, rows);
    }

    /** @param rows as they came */
    static ContractAnswer of(Search search, List<Line> rows) {
        return new ContractAnswer(
                search.order() == Order.UNSORTED
                        ? rows.stream().sorted(Comparator.comparing(Line::id)).toList()
                        : List.copyOf(rows));
    }

    List<String> ids() {
        return rows.stream().map(Line::id).toList();
    }
}
