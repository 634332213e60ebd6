package siemload.database.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import siemload.database.server.Portions;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.layout.LayoutTexts;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.Summary;

/** Translates the searches of one run, with its hint, for its tables. Thread-safe. */
final class OracleSearchStatements {
    private final TableGroup tables;
    private final LayoutTexts texts;
    private final HintText hints;
    private final Map<Shape, SqlStatement> statements = new ConcurrentHashMap<>();

    OracleSearchStatements(TableGroup tables, HintText hints) {
        this.tables = tables;
        this.texts = tables.layout().texts();
        this.hints = hints;
    }

    /** The tables that are searched. */
    TableGroup tables() {
        return tables;
    }

    /** The statement that finds the rows of the search's page. */
    OracleSearchSql of(Search search) {
        List<OracleCondition> conditions = OracleCondition.of(search);
        if (search.page() instanceof Page.Numbered page) {
            return page(search, conditions, page.size(), page.offset());
        } else if (search.page() instanceof Page.After page) {
            conditions.add(OracleCondition.beyond(page.key(), search.order()));
            return page(search, conditions, page.size(), 0);
        } else if (search.page() instanceof Page.Last page) {
            Map<String, Object> values = OracleSearchSql.values(conditions);
            values.put("size", page.size());
            return statement("last", search, conditions, values, page.size());
        }
        String frame = search.order() == Order.UNSORTED ? "whole-unsorted" : "whole";
        return statement(frame, search, conditions, OracleSearchSql.values(conditions), Portions.ROWS);
    }

    /** The statement that counts all rows of the search. */
    OracleSearchSql count(Search search) {
        List<OracleCondition> conditions = OracleCondition.of(search);
        return statement("count", search, conditions, OracleSearchSql.values(conditions), 1);
    }

    /** The statement that sums up all rows of the search; its rows are values and counts, after steps for a timeline. */
    OracleSearchSql of(Search search, Summary summary) {
        List<OracleCondition> conditions = OracleCondition.of(search);
        Map<String, Object> values = OracleSearchSql.values(conditions);
        String field = summary.field().label();
        if (summary instanceof Summary.OverTime timeline) {
            values.put("from", OracleCondition.time(search.window().from()));
            values.put("seconds", timeline.step(search.window()).toSeconds());
            return statement("timeline " + field, search, conditions, values, Portions.ROWS);
        } else if (summary instanceof Summary.TopList top) {
            values.put("size", top.size());
            return statement("top-list " + field, search, conditions, values, Portions.ROWS);
        }
        throw new AssertionError("a kind of summary without SQL: " + summary);
    }

    private OracleSearchSql page(Search search, List<OracleCondition> conditions, int size, long offset) {
        Map<String, Object> values = OracleSearchSql.values(conditions);
        values.put("size", size);
        values.put("offset", offset);
        return statement("page", search, conditions, values, size);
    }

    private OracleSearchSql statement(
            String frame, Search search, List<OracleCondition> conditions, Map<String, Object> values, int rows) {
        Shape shape = new Shape(frame, search.order(), hints.of(search), kinds(conditions));
        // One more than a page, or the end would need a round trip of its own.
        return new OracleSearchSql(
                statements.computeIfAbsent(shape, this::read), values, Math.min(rows + 1, Portions.ROWS));
    }

    private SqlStatement read(Shape shape) {
        Map<String, String> parts = tables.parts();
        parts.put("hint", shape.hint);
        parts.put("direction", shape.order == Order.OLDEST_FIRST ? "ASC" : "DESC");
        parts.put("reversed", shape.order == Order.OLDEST_FIRST ? "DESC" : "ASC");
        parts.put("conditions", conditions(shape.conditions));
        String[] frame = shape.frame.split(" ", 2);
        if (frame.length == 2) {
            parts.put("field", part("field-" + frame[1]));
            boolean several = texts.has("lists-" + frame[1]);
            parts.put("lists", several ? part("lists-" + frame[1]) : "");
        }
        return texts.read(frame[0], parts);
    }

    private static List<Kind> kinds(List<OracleCondition> conditions) {
        List<Kind> kinds = new ArrayList<>(conditions.size());
        for (OracleCondition condition : conditions) {
            kinds.add(new Kind(
                    condition.name(),
                    condition.anyOf().size(),
                    condition.groups().stream()
                            .map(OracleSearchStatements::kinds)
                            .toList()));
        }
        return kinds;
    }

    private String conditions(List<Kind> kinds) {
        return conditions(kinds, new AtomicInteger());
    }

    /** @param leaf the number of the next condition that has a file */
    private String conditions(List<Kind> kinds, AtomicInteger leaf) {
        List<String> all = new ArrayList<>();
        for (Kind kind : kinds) {
            List<String> anyOf = new ArrayList<>();
            for (List<Kind> group : kind.groups) {
                anyOf.add("(" + conditions(group, leaf) + ")");
            }
            if (kind.groups.isEmpty()) {
                String text = part("condition-" + kind.name);
                int number = leaf.getAndIncrement();
                for (int j = 0; j < kind.alternatives; j++) {
                    anyOf.add(OracleSearchSql.named(text, number, j));
                }
            }
            all.add("(" + String.join("\n    OR ", anyOf) + ")");
        }
        return all.isEmpty() ? "1 = 1" : String.join("\n    AND ", all);
    }

    private String part(String file) {
        return SqlFiles.part(texts.text(file), tables.parts());
    }

    /** All that the text of a statement depends on. */
    private record Shape(String frame, Order order, String hint, List<Kind> conditions) {}

    private record Kind(String name, int alternatives, List<List<Kind>> groups) {}
}
