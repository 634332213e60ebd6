package siemload.database.postgresql.search;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import siemload.database.Hint;
import siemload.database.layout.MissingFileException;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.SqlText;
import siemload.database.postgresql.search.PlannerGuide.Hidden;
import siemload.database.postgresql.search.PostgresqlSearchSql.Reading;
import siemload.database.server.Portions;
import siemload.query.Criterion;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.TrendCatalog;

/** Writes searches as SQL of one layout, for one hint. Thread-safe. */
public final class PostgresqlSearchStatements {
    private static final String NO_OFFSET = "0";

    private final Layout layout;
    private final PlannerGuide guide;
    /** Asked for each criterion of each search. */
    private final boolean hasAddressTable;

    private final Map<StatementShape, String> texts = new ConcurrentHashMap<>();

    public PostgresqlSearchStatements(Layout layout, PlannerGuide guide) {
        this.layout = layout;
        this.guide = guide;
        this.hasAddressTable = layout.hasAddressTable();
    }

    /** The layout of the tables that are searched. */
    Layout layout() {
        return layout;
    }

    /** The first file that the layout lacks for a search which users come to in this way; empty where it lacks none. */
    public Optional<String> missingFile(Search search, PageClass page) {
        try {
            var unused = switch (page) {
                case COUNT -> count(search);
                case SUMMARY -> ofCatalogue(search);
                case FIRST, DEEPER, LAST, WHOLE, STATEMENT -> of(search);
            };
            return Optional.empty();
        } catch (MissingFileException missing) {
            return Optional.of(missing.file());
        }
    }

    /** The statement that finds the rows of the search's page. */
    PostgresqlSearchSql of(Search search) {
        List<PostgresqlCondition> conditions = conditions(search);
        Order order = search.order();
        if (isSingle(search)) {
            return sql("single", search, order, conditions, Reading.PAGE);
        } else if (search.page() instanceof Page.Numbered page) {
            return page(search, conditions, page.size(), Long.toString(page.offset()));
        } else if (search.page() instanceof Page.After page) {
            conditions.add(PostgresqlCondition.behind(page.key(), order));
            return page(search, conditions, page.size(), NO_OFFSET);
        } else if (search.page() instanceof Page.Last page) {
            return last(search, conditions, page.size());
        }
        if (layout.isByDay() && !search.window().isAlways() && guide.hidden(search) == Hidden.NOTHING) {
            // Under a hint the JSON would be searched first, since only it would know the window.
            conditions.add(PostgresqlCondition.ofJson(search.window()));
        }
        String frame = order == Order.UNSORTED ? "whole-unsorted" : "whole";
        Reading reading = guide.sharesAmongWorkers(search) ? Reading.COPY : Reading.STREAM;
        return sql(frame, search, order, conditions, reading);
    }

    private PostgresqlSearchSql page(Search search, List<PostgresqlCondition> conditions, int size, String offset) {
        Reading reading = Portions.make(size) ? inPortions(search) : Reading.PAGE;
        return sql("page", search, search.order(), conditions, reading, Integer.toString(size), offset);
    }

    /** The end of the result is the first page of the other order: we turn a small one round, the server a large one. */
    private PostgresqlSearchSql last(Search search, List<PostgresqlCondition> conditions, int size) {
        String limit = Integer.toString(size);
        return Portions.make(size)
                ? sql("last-page", search, search.order(), conditions, inPortions(search), limit)
                : sql("page", search, search.order().reversed(), conditions, Reading.PAGE_BACKWARDS, limit, NO_OFFSET);
    }

    private Reading inPortions(Search search) {
        return guide.sharesAmongWorkers(search) ? Reading.COPY : Reading.CURSOR;
    }

    /** The statement that counts all rows of the search. */
    PostgresqlSearchSql count(Search search) {
        return sql("count", search, search.order(), conditions(search), Reading.PAGE);
    }

    /** The statement that sums up all rows of the search; its rows are times, values and counts, or values and counts. */
    PostgresqlSearchSql of(Search search, Summary summary) {
        List<PostgresqlCondition> conditions = conditions(search);
        List<String> values = new ArrayList<>();
        String frame;
        if (summary instanceof Summary.OverTime timeline) {
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
        String text = text(frame, search, Order.UNSORTED, conditions, Optional.of(summary.field()));
        return new PostgresqlSearchSql(text, values, Reading.PAGE);
    }

    /** The statement that sums up all rows of the search and stores the lines; it has no rows. */
    PostgresqlSearchSql storing(Search search, Summary.Hours summary, String trend) {
        PostgresqlSearchSql summing = of(search, summary);
        List<String> values = new ArrayList<>();
        values.add(trend);
        values.addAll(summing.values());
        String text = FILES.read("trends/store.sql", Map.of("summary", summing.text()))
                .sql();
        return new PostgresqlSearchSql(text, values, Reading.PAGE);
    }

    /** Whether the page holds all rows, of which there is one at most: planning less, the server answers sooner. */
    private static boolean isSingle(Search search) {
        return !Hint.concerns(search) && search.page().pageClass() != PageClass.DEEPER;
    }

    /** Finds the rows of a search, or sums them up, or stores the sums, where the catalogue says so. */
    PostgresqlSearchSql ofCatalogue(Search search) {
        Optional<Summary.Hours> trend = TrendCatalog.summary(search.name());
        if (trend.isPresent()) {
            return storing(search, trend.orElseThrow(), "");
        }
        return search.summary().map(summary -> of(search, summary)).orElseGet(() -> of(search));
    }

    /** @param more values behind those of the conditions */
    private PostgresqlSearchSql sql(
            String frame,
            Search search,
            Order order,
            List<PostgresqlCondition> conditions,
            Reading reading,
            String... more) {
        List<String> values = values(conditions);
        Collections.addAll(values, more);
        return new PostgresqlSearchSql(text(frame, search, order, conditions, Optional.empty()), values, reading);
    }

    private String text(
            String frame, Search search, Order order, List<PostgresqlCondition> conditions, Optional<Field> field) {
        StatementShape shape =
                new StatementShape(layout, frame, order, shapes(conditions), field, guide.hidden(search));
        String known = texts.get(shape); // Which takes no lock, where computing an absent one may.
        return known != null ? known : texts.computeIfAbsent(shape, StatementShape::sql);
    }

    private List<PostgresqlCondition> conditions(Search search) {
        List<PostgresqlCondition> conditions = new ArrayList<>();
        if (!search.window().isAlways()) {
            conditions.add(PostgresqlCondition.of(search.window()));
        }
        for (Criterion criterion : search.criteria()) {
            if (hasAddressTable) {
                PostgresqlCondition.lookup(criterion, search.window()).ifPresent(conditions::add);
            }
            conditions.add(PostgresqlCondition.of(criterion));
        }
        return conditions;
    }

    private List<String> values(List<PostgresqlCondition> conditions) {
        List<String> values = new ArrayList<>(12);
        for (PostgresqlCondition condition : conditions) {
            condition.addValuesTo(values, layout);
        }
        return values;
    }

    private static List<ConditionShape> shapes(List<PostgresqlCondition> conditions) {
        List<ConditionShape> shapes = new ArrayList<>(conditions.size());
        for (PostgresqlCondition condition : conditions) {
            shapes.add(condition.shape());
        }
        return shapes;
    }

    /**
     * All that the text of a statement depends on.
     *
     * @param layout whose files they are
     * @param frame the file that the conditions stand in
     * @param field what a summary groups by
     * @param hidden what no index may answer
     */
    private record StatementShape(
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
                    ? layout.read("hidden", Map.of("condition", kind.sql(layout)))
                            .sql()
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
}
