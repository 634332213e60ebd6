package siemload.database.sql;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import siemload.database.layout.Condition;
import siemload.database.layout.Condition.About;
import siemload.database.layout.Condition.All;
import siemload.database.layout.Condition.Any;
import siemload.database.layout.Condition.Leaf;
import siemload.database.layout.Condition.Subject;
import siemload.database.layout.Conditions;
import siemload.database.server.Portions;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.Window;

/** Translates searches into statements of a layout. Equal kinds of search have the very same text, whatever their values. Thread-safe. */
public abstract class SqlSearches {
    private static final Pattern OF_LEAF = Pattern.compile("c(\\d+)_(\\w+)");
    private static final Pattern VALUE = Pattern.compile("(?<!:):'");

    private final SqlBlocks layout;
    private final Conditions conditions;
    private final Map<String, Template> templates = new ConcurrentHashMap<>();

    protected SqlSearches(SqlBlocks layout, Conditions conditions) {
        this.layout = layout;
        this.conditions = conditions;
    }

    /**
     * A statement with its values.
     *
     * @param sql with {@code ?} for each value
     * @param values in their order
     */
    public record Compiled(String sql, List<Object> values) {}

    /**
     * The statement that finds the rows of a page.
     *
     * @param size how many rows at most; 0 for all
     */
    public record Rows(Compiled statement, Way way, int size) {}

    /** How the rows come. */
    public enum Way {
        PAGE,
        /** From the last to the first. */
        PAGE_BACKWARDS,
        /** The last ones, turned round by the server. */
        LAST_PAGE,
        WHOLE
    }

    /** What of a statement depends on what a search is told. */
    protected interface Told {
        /** Equal where the statements are. */
        String key();

        /** What stands for parts in the frame, beside conditions, order and field. */
        Map<String, String> parts();

        /** The name of the block for a condition. */
        default String block(String condition) {
            return Conditions.PREFIX + condition;
        }

        /** Puts a condition so that it is found as it should be. */
        default String around(Subject subject, String condition) {
            return condition;
        }
    }

    /** What a search is told. */
    protected abstract Told told(Search search);

    /** What stands for parts in all blocks. */
    protected Map<String, String> names() {
        return Map.of();
    }

    /** A condition that every row meets. */
    protected abstract String always();

    /** A number as a value. */
    protected abstract Object number(long number);

    /** The values for the steps of a timeline. */
    protected abstract Map<String, Object> steps(Window window, Duration step);

    /** Whether a last page of this size is the first one of the other order. */
    protected abstract boolean isTurnedHere(int size);

    /** What the rows of a whole result must meet beside the conditions. */
    protected List<Condition> ofWhole(Search search) {
        return List.of();
    }

    /** The statement that finds the rows of the search's page. */
    public final Rows rows(Search search) {
        List<Condition> met = conditions.of(search);
        Order order = search.order();
        if (Portions.isSingle(search) && layout.has("single")) {
            return new Rows(compiled("single", search, order, met, Map.of()), Way.PAGE, 1);
        } else if (search.page() instanceof Page.Numbered page) {
            return page(search, order, met, page.size(), page.offset(), Way.PAGE);
        } else if (search.page() instanceof Page.After page) {
            met.add(conditions.beyond(page.key(), order));
            return page(search, order, met, page.size(), 0, Way.PAGE);
        } else if (search.page() instanceof Page.Last page) {
            if (isTurnedHere(page.size())) {
                return page(search, order.reversed(), met, page.size(), 0, Way.PAGE_BACKWARDS);
            }
            Map<String, Object> limit = Map.of("limit", number(page.size()));
            return new Rows(compiled("last-page", search, order, met, limit), Way.LAST_PAGE, page.size());
        }
        met.addAll(ofWhole(search));
        String frame = order == Order.UNSORTED ? "whole-unsorted" : "whole";
        return new Rows(compiled(frame, search, order, met, Map.of()), Way.WHOLE, 0);
    }

    private Rows page(Search search, Order order, List<Condition> met, int size, long offset, Way way) {
        Map<String, Object> values = Map.of("limit", number(size), "offset", number(offset));
        return new Rows(compiled("page", search, order, met, values), way, size);
    }

    /** The statement that counts all rows of the search. */
    public final Compiled count(Search search) {
        return compiled("count", search, search.order(), conditions.of(search), Map.of());
    }

    /** The statement that sums up all rows of the search; its rows are steps, values and counts, or values and counts. */
    public final Compiled of(Search search, Summary summary) {
        List<Condition> met = conditions.of(search);
        Optional<Field> field = Optional.of(summary.field());
        if (summary instanceof Summary.OverTime timeline) {
            Map<String, Object> steps = steps(search.window(), timeline.step(search.window()));
            return compiled("timeline", search, Order.UNSORTED, field, met, steps);
        } else if (summary instanceof Summary.TopList top) {
            return compiled("top-list", search, Order.UNSORTED, field, met, Map.of("limit", number(top.size())));
        }
        throw new AssertionError("a kind of summary without SQL: " + summary);
    }

    private Compiled compiled(String frame, Search search, Order order, List<Condition> met, Map<String, Object> more) {
        return compiled(frame, search, order, Optional.empty(), met, more);
    }

    private Compiled compiled(
            String frame,
            Search search,
            Order order,
            Optional<Field> field,
            List<Condition> met,
            Map<String, Object> more) {
        Told told = told(search);
        StringBuilder key =
                new StringBuilder(120).append(frame).append(order.name()).append(told.key());
        field.ifPresent(by -> key.append(by.name()));
        List<Leaf> leaves = new ArrayList<>(8);
        for (Condition condition : met) {
            condition.shape(key);
            condition.leaves(leaves::add);
        }
        String shape = key.toString();
        Template known = templates.get(shape); // Which takes no lock, where computing an absent one may.
        Template template = known != null
                ? known
                : templates.computeIfAbsent(shape, unused -> template(frame, order, field, met, told));
        return template.filled(leaves, more);
    }

    /** A statement, and where each of its values comes from. */
    private record Template(String sql, List<Place> places) {
        /** @param leaf the number of the leaf whose value it is; -1 for one of the frame */
        private record Place(int leaf, String name) {}

        static Template of(SqlStatement statement) {
            return new Template(
                    statement.sql(),
                    statement.values().stream()
                            .map(name -> {
                                Matcher ofLeaf = OF_LEAF.matcher(name);
                                return ofLeaf.matches()
                                        ? new Place(Integer.parseInt(ofLeaf.group(1)), ofLeaf.group(2))
                                        : new Place(-1, name);
                            })
                            .toList());
        }

        Compiled filled(List<Leaf> leaves, Map<String, Object> more) {
            List<Object> values = new ArrayList<>(places.size());
            for (Place place : places) {
                Function<String, ?> of =
                        place.leaf < 0 ? more::get : leaves.get(place.leaf).values();
                values.add(Objects.requireNonNull(of.apply(place.name), place.name));
            }
            return new Compiled(sql, values);
        }
    }

    private Template template(String frame, Order order, Optional<Field> field, List<Condition> met, Told told) {
        Map<String, String> parts = new HashMap<>(names());
        parts.putAll(told.parts());
        int[] leaf = {0};
        parts.put(
                "conditions",
                met.isEmpty()
                        ? always()
                        : met.stream()
                                .map(condition -> text(condition, told, leaf))
                                .collect(Collectors.joining("\n    AND ")));
        parts.put("direction", order == Order.OLDEST_FIRST ? "ASC" : "DESC");
        parts.put("reversed", order == Order.OLDEST_FIRST ? "DESC" : "ASC");
        parts.put(
                "field",
                field.map(by -> layout.part("field-" + by.label(), names())).orElse(""));
        parts.put(
                "lists",
                field.map(by -> "lists-" + by.label())
                        .filter(layout::has)
                        .map(lists -> layout.part(lists, names()))
                        .orElse(""));
        return Template.of(layout.read(frame, parts));
    }

    /** The values of each leaf have names of their own, since another one may be of the same kind. */
    private String text(Condition condition, Told told, int[] leaf) {
        if (condition instanceof Leaf block) {
            return VALUE.matcher(layout.part(told.block(block.name()), names())).replaceAll(":'c" + leaf[0]++ + "_");
        } else if (condition instanceof About about) {
            return told.around(about.subject(), text(about.condition(), told, leaf));
        } else if (condition instanceof All all) {
            return joined(all.parts(), "\n    AND ", told, leaf);
        }
        return ((Any) condition)
                .parts().stream()
                        .map(part -> part instanceof All ? "(" + text(part, told, leaf) + ")" : text(part, told, leaf))
                        .collect(Collectors.joining("\n    OR ", "(", ")"));
    }

    private String joined(List<Condition> parts, String between, Told told, int[] leaf) {
        return parts.isEmpty()
                ? always()
                : parts.stream()
                        .map(part -> part instanceof Leaf && parts.size() > 1
                                ? "(" + text(part, told, leaf) + ")"
                                : text(part, told, leaf))
                        .collect(Collectors.joining(between));
    }
}
