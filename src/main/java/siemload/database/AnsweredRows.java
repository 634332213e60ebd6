package siemload.database;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
            boolean isShort = i >= rows.size();
            if (isShort
                    || i >= right.rows.size()
                    || !rows.get(i).id().equals(right.rows.get(i).id())) {
                return Optional.of(isShort ? missing(i, right) : wrongId(i, right));
            }
            Line row = rows.get(i);
            Line other = right.rows.get(i);
            if (!row.detectTime().equals(other.detectTime())) {
                return Optional.of("event " + row.id() + " has the detect time " + row.detectTime() + " instead of "
                        + other.detectTime());
            }
            if (!isSameEvent(row.idea(), other.idea())) {
                return Optional.of("event " + row.id() + " has another JSON than the event that was stored");
            }
        }
        return Optional.empty();
    }

    private String wrongId(int place, AnsweredRows right) {
        String id = rows.get(place).id();
        Optional<Integer> before = Optional.ofNullable(places(rows).get(id)).filter(first -> first < place);
        if (before.isPresent()) {
            return "event " + id + " came twice, as row " + (before.get() + 1) + " and as row " + (place + 1);
        }
        Map<String, Integer> wanted = places(right.rows);
        if (!wanted.containsKey(id)) {
            return "event " + id + " is too many: it came as row " + (place + 1) + numbers(right);
        }
        if (!places(rows).containsKey(right.rows.get(place).id())) {
            return missing(place, right);
        }
        return "wrong order: event " + id + " came as row " + (place + 1) + ", but belongs there as row "
                + (wanted.get(id) + 1);
    }

    private String missing(int place, AnsweredRows right) {
        return "event " + right.rows.get(place).id() + " is missing: it should be row " + (place + 1) + numbers(right);
    }

    private String numbers(AnsweredRows right) {
        return " (" + rows.size() + " rows came, " + right.rows.size() + " are right)";
    }

    private static Map<String, Integer> places(List<Line> rows) {
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            places.putIfAbsent(rows.get(i).id(), i);
        }
        return places;
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
