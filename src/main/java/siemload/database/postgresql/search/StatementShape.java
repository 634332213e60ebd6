package siemload.database.postgresql.search;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.search.PlannerGuide.Hidden;
import siemload.query.Field;
import siemload.query.Order;

/**
 * All that the text of a statement depends on.
 *
 * @param layout whose files they are
 * @param frame the file that the conditions stand in
 * @param field what a summary groups by
 * @param hidden what no index may answer
 */
record StatementShape(
        Layout layout,
        String frame,
        Order order,
        List<ConditionShape> conditions,
        Optional<Field> field,
        Hidden hidden) {
    /**
     * How a layout writes the window so that the index of the time alone can answer it, where other indexes of its tables hold the
     * time, too. A layout over tables of others need not have it.
     */
    private static final String OF_TIME_INDEX = "window-of-time-index";

    /** By hand, as {@link #equals}: a record's own ones are slow, and every search looks its text up. */
    @Override
    public int hashCode() {
        return ((frame.hashCode() * 31 + order.hashCode()) * 31 + hidden.hashCode()) * 31 + conditions.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StatementShape shape
                && layout == shape.layout
                && frame.equals(shape.frame)
                && order == shape.order
                && hidden == shape.hidden
                && field.equals(shape.field)
                && conditions.equals(shape.conditions);
    }

    /** The statement with {@code ?} for each value. */
    String sql() {
        String all = conditions.isEmpty() ? "true" : all(conditions);
        String direction = order == Order.OLDEST_FIRST ? "ASC" : "DESC";
        String reversed = order == Order.OLDEST_FIRST ? "DESC" : "ASC";
        String list = field.map(values -> file("field-" + values.label())).orElse("");
        String time = file(hidden.time ? "time-hidden" : "time");
        String id = file(hidden.id ? "id-hidden" : "id");
        return layout.read(
                        frame,
                        Map.of(
                                "conditions",
                                all,
                                "direction",
                                direction,
                                "reversed",
                                reversed,
                                "field",
                                list,
                                "time",
                                time,
                                "id",
                                id,
                                "json",
                                file("json")))
                .sql();
    }

    private String all(List<ConditionShape> shapes) {
        return shapes.stream().map(this::condition).collect(Collectors.joining("\n    AND "));
    }

    private String condition(ConditionShape shape) {
        if (shape instanceof ConditionShape.AnyOf anyOf) {
            return anyOf.groups().stream()
                    .map(group -> "(" + all(group) + ")")
                    .collect(Collectors.joining("\n    OR ", "(", ")"));
        } else if (shape instanceof PostgresqlCondition.Kind kind) {
            return condition(kind);
        }
        throw new AssertionError("a shape without SQL: " + shape);
    }

    private String condition(PostgresqlCondition.Kind kind) {
        return switch (kind.subject()) {
            case TIME ->
                kind == PostgresqlCondition.Kind.WINDOW && hidden.timeIndexAlone() && layout.has(OF_TIME_INDEX)
                        ? file(OF_TIME_INDEX)
                        : condition(kind, hidden.time);
            case ADDRESS ->
                layout.hasAddressTable()
                        ? layout.read("recheck", Map.of("condition", kind.sql(layout)))
                                .sql()
                        : condition(kind, hidden.fields);
            case LOOKUP -> lookup(kind);
            case JSON -> kind.sql(layout);
            case OTHER -> condition(kind, hidden.fields);
        };
    }

    private String condition(PostgresqlCondition.Kind kind, boolean hide) {
        return hide
                ? layout.read("hidden", Map.of("condition", kind.sql(layout))).sql()
                : kind.sql(layout);
    }

    private String lookup(PostgresqlCondition.Kind kind) {
        // Forced to use the index of the time, each event looks for its addresses; of a field, each address for its
        // event.
        String id = file(hidden.timeIndexAlone() ? "id-hidden" : "id");
        String event = file(hidden == Hidden.ID_AND_TIME ? "event-hidden" : "event");
        String truth = hidden.fields ? "IS TRUE" : "";
        if (layout.isByDay() && !hidden.fields) {
            id = layout.read("id-and-time", Map.of("id", id)).sql();
            event = layout.read("event-and-time", Map.of("event", event)).sql();
        }
        String side = switch (kind.side()) {
            case SOURCE -> "\n        " + file("side-source");
            case TARGET -> "\n        " + file("side-target");
            case EITHER -> "";
        };
        return kind.sql(layout, Map.of("id", id, "event", event, "side", side, "truth", truth));
    }

    private String file(String name) {
        return layout.read(name).sql();
    }
}
