package siemload.database;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import siemload.database.SearchSession.RowReader;
import siemload.query.Order;
import siemload.query.PageKey;
import siemload.query.Search;

/**
 * All that a search answered, to be held against the answer of another target; the rows of an unsorted one are put into an order for
 * that. For answers that fit into memory. Immutable.
 */
public record AnsweredRows(List<Line> rows) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public AnsweredRows {
        rows = List.copyOf(rows);
    }

    /** One row with all its values. */
    public record Line(String id, Instant detectTime, String idea) {
        public static Line of(RowReader.Row row) {
            return new Line(row.id(), row.detectTime(), new String(row.idea(), StandardCharsets.UTF_8));
        }

        public PageKey key() {
            return new PageKey(detectTime, id);
        }
    }

    /**
     * Asks a session.
     *
     * @throws IllegalStateException if it says another number of rows than it handed over
     */
    public static AnsweredRows of(SearchSession session, Search search) {
        return of(session, search, Line::of);
    }

    /** The same, with a line of one's own for each row: who keeps many answers keeps each event but once. */
    public static AnsweredRows of(SearchSession session, Search search, Function<RowReader.Row, Line> line) {
        List<Line> rows = new ArrayList<>();
        long count = session.search(search, row -> rows.add(line.apply(row)));
        if (count != rows.size()) {
            throw new IllegalStateException("the search says " + count + " rows but handed over " + rows.size());
        }
        return of(search, rows);
    }

    /** The answer of a search: {@code rows} as they came. */
    public static AnsweredRows of(Search search, List<Line> rows) {
        return new AnsweredRows(
                search.order() == Order.UNSORTED
                        ? rows.stream().sorted(Comparator.comparing(Line::id)).toList()
                        : rows);
    }

    public List<String> ids() {
        return rows.stream().map(Line::id).toList();
    }

    /**
     * What is wrong first, if the right answer is that one; empty where nothing is. The JSON of an event may be other text if it
     * means the same.
     */
    public Optional<String> firstFault(AnsweredRows right) {
        for (int i = 0; i < Math.max(rows.size(), right.rows.size()); i++) {
            Optional<Line> came = at(i);
            Optional<Line> should = right.at(i);
            Optional<String> fault = came.map(Line::id).equals(should.map(Line::id))
                    ? firstFault(came.orElseThrow(), should.orElseThrow())
                    : Optional.of(wrongRow(i, right));
            if (fault.isPresent()) {
                return fault;
            }
        }
        return Optional.empty();
    }

    private Optional<Line> at(int place) {
        return place < rows.size() ? Optional.of(rows.get(place)) : Optional.empty();
    }

    private static Optional<String> firstFault(Line row, Line right) {
        if (!row.detectTime().equals(right.detectTime())) {
            return Optional.of("event " + row.id() + " has the detect time " + row.detectTime() + " instead of "
                    + right.detectTime());
        }
        return isSameEvent(row.idea(), right.idea())
                ? Optional.empty()
                : Optional.of("event " + row.id() + " has another JSON than the event that was stored");
    }

    private String wrongRow(int place, AnsweredRows right) {
        String numbers = " (" + rows.size() + " rows came, " + right.rows.size() + " are right)";
        String missing = right.at(place)
                .map(row -> "event " + row.id() + " is missing: it should be row " + (place + 1) + numbers)
                .orElse("");
        if (place >= rows.size()) {
            return missing;
        }
        String id = rows.get(place).id();
        int before = ids().indexOf(id);
        int wanted = right.ids().indexOf(id);
        if (before < place) {
            return "event " + id + " came twice, as row " + (before + 1) + " and as row " + (place + 1);
        } else if (wanted < 0) {
            return "event " + id + " is too many: it came as row " + (place + 1) + numbers;
        }
        return ids().contains(right.rows.get(place).id())
                ? "wrong order: event " + id + " came as row " + (place + 1) + ", but belongs there as row "
                        + (wanted + 1)
                : missing;
    }

    private static boolean isSameEvent(String idea, String other) {
        if (idea.equals(other)) {
            return true;
        }
        try {
            return JSON.readTree(idea).equals(JSON.readTree(other));
        } catch (JsonProcessingException noJson) {
            return false;
        }
    }
}
