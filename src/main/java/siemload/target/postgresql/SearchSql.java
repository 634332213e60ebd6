package siemload.target.postgresql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import siemload.query.Criterion;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * A search as one SQL statement of the layout {@code mentat}. Equal kinds of search have the very same text, whatever
 * their values.
 *
 * @param text the statement with {@code ?} for each value
 * @param values the values in text form; the statement settles their types
 * @param reading how the rows come
 */
record SearchSql(String text, List<String> values, Reading reading) {
    private static final Map<Shape, String> TEXTS = new ConcurrentHashMap<>();
    private static final String NO_OFFSET = "0";

    /** How the rows of a statement are read. */
    enum Reading {
        /** In their order, received at once. */
        PAGE,
        /** From the last to the first, received at once. */
        PAGE_BACKWARDS,
        /** In their order, received in portions. */
        STREAM
    }

    /** The statement that finds the rows of the search's page. */
    static SearchSql of(Search search) {
        List<Condition> conditions = conditions(search);
        if (isSingle(search)) {
            return new SearchSql(text("single", Order.UNSORTED, conditions), values(conditions), Reading.PAGE);
        } else if (search.page() instanceof Page.Numbered page) {
            return page(search.order(), conditions, page.size(), Long.toString(page.offset()));
        } else if (search.page() instanceof Page.After page) {
            boolean upwards = search.order() == Order.OLDEST_FIRST;
            conditions.add(upwards ? Condition.after(page.key()) : Condition.before(page.key()));
            return page(search.order(), conditions, page.size(), NO_OFFSET);
        } else if (search.page() instanceof Page.Last page) {
            SearchSql reversed = page(reversed(search.order()), conditions, page.size(), NO_OFFSET);
            return new SearchSql(reversed.text, reversed.values, Reading.PAGE_BACKWARDS);
        }
        String frame = search.order() == Order.UNSORTED ? "whole-unsorted" : "whole";
        return new SearchSql(text(frame, search.order(), conditions), values(conditions), Reading.STREAM);
    }

    /** The statement that counts all rows of the search. */
    static SearchSql count(Search search) {
        List<Condition> conditions = conditions(search);
        return new SearchSql(text("count", Order.UNSORTED, conditions), values(conditions), Reading.PAGE);
    }

    /** The statement that sums up all rows of the search; its rows are times, values and counts, or values and counts. */
    static SearchSql of(Search search, Summary summary) {
        List<Condition> conditions = conditions(search);
        List<String> values = new ArrayList<>();
        String frame;
        if (summary instanceof Summary.Timeline timeline) {
            frame = "timeline";
            values.add(timeline.step(search.window()).toSeconds() + " seconds");
            values.add(SqlText.timestamp(search.window().from()));
            values.addAll(values(conditions));
        } else if (summary instanceof Summary.TopList top) {
            frame = "top-list";
            values.addAll(values(conditions));
            values.add(Integer.toString(top.size()));
        } else {
            throw new AssertionError("a kind of summary without SQL: " + summary);
        }
        Shape shape = new Shape(frame, Order.UNSORTED, kinds(conditions), Optional.of(summary.field()));
        return new SearchSql(TEXTS.computeIfAbsent(shape, Shape::sql), values, Reading.PAGE);
    }

    /** Whether the page holds all rows, of which there is one at most: planning less, the server answers sooner. */
    private static boolean isSingle(Search search) {
        boolean all = search.page() instanceof Page.Numbered page
                ? page.number() == 1
                : !(search.page() instanceof Page.After);
        for (Criterion criterion : search.criteria()) {
            if (criterion instanceof Criterion.IdIs) {
                return all;
            }
        }
        return false;
    }

    private static SearchSql page(Order order, List<Condition> conditions, int size, String offset) {
        List<String> values = values(conditions);
        values.add(Integer.toString(size));
        values.add(offset);
        return new SearchSql(text("page", order, conditions), values, Reading.PAGE);
    }

    private static List<Condition> conditions(Search search) {
        List<Condition> conditions = new ArrayList<>();
        if (!search.window().isAlways()) {
            conditions.add(Condition.of(search.window()));
        }
        for (Criterion criterion : search.criteria()) {
            conditions.add(Condition.of(criterion));
        }
        return conditions;
    }

    private static List<String> values(List<Condition> conditions) {
        List<String> values = new ArrayList<>(12);
        for (Condition condition : conditions) {
            condition.addValuesTo(values);
        }
        return values;
    }

    private static String text(String frame, Order order, List<Condition> conditions) {
        Shape shape = new Shape(frame, order, kinds(conditions), Optional.empty());
        return TEXTS.computeIfAbsent(shape, Shape::sql);
    }

    private static List<Condition.Kind> kinds(List<Condition> conditions) {
        List<Condition.Kind> kinds = new ArrayList<>(conditions.size());
        for (Condition condition : conditions) {
            kinds.add(condition.kind());
        }
        return kinds;
    }

    private static Order reversed(Order order) {
        return order == Order.OLDEST_FIRST ? Order.NEWEST_FIRST : Order.OLDEST_FIRST;
    }

    /** All that the text of a statement depends on. */
    private record Shape(String frame, Order order, List<Condition.Kind> conditions, Optional<Field> field) {

        /** By hand, as {@link #equals}: a record's own ones are slow, and every search looks its text up. */
        @Override
        public int hashCode() {
            return (frame.hashCode() * 31 + order.hashCode()) * 31 + conditions.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Shape shape
                    && frame.equals(shape.frame)
                    && order == shape.order
                    && field.equals(shape.field)
                    && conditions.equals(shape.conditions);
        }

        String sql() {
            String all = conditions.isEmpty()
                    ? "true"
                    : conditions.stream().map(Condition.Kind::sql).collect(Collectors.joining("\n    AND "));
            String direction = order == Order.OLDEST_FIRST ? "ASC" : "DESC";
            String list = field.map(values -> SqlTemplate.read("mentat/field-" + values.label() + ".sql")
                            .sql())
                    .orElse("");
            return SqlTemplate.read(
                            "mentat/" + frame + ".sql",
                            Map.of("conditions", all, "direction", direction, "field", list))
                    .sql();
        }
    }
}
