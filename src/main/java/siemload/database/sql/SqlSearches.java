package siemload.database.sql;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import siemload.database.layout.Condition;
import siemload.database.layout.Condition.All;
import siemload.database.layout.Condition.Leaf;
import siemload.database.layout.Condition.Subject;
import siemload.database.layout.SearchConditions;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * Translates searches into statements of a layout. Equal kinds of search have the very same text, whatever their values. Thread-safe.
 *
 * @param <H> what a search is told, such as a hint; equal where statements are
 */
public abstract class SqlSearches<H> extends SearchConditions {
    private static final Pattern OF_LEAF = Pattern.compile("c(\\d+)_(\\w+)");
    private static final Pattern VALUE = Pattern.compile("(?<!:):'");
    private static final String AND = "\n    AND ";

    private final SqlBlocks layout;
    private final Map<List<Object>, Template> templates = new ConcurrentHashMap<>();

    protected SqlSearches(SqlBlocks layout) {
        super(layout::has);
        this.layout = layout;
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

    /**
     * What the values are taken from that are not of conditions: those that a kind of statement has.
     *
     * @param from where the steps of a timeline begin
     * @param step how long each is
     */
    protected record Frame(long limit, long offset, Instant from, Duration step) {
        /** What a name stands for in a block that is no condition. */
        public Object part(String name) {
            return switch (name) {
                case "limit" -> limit;
                case "offset" -> offset;
                case "seconds" -> step.toSeconds();
                case "step" -> step.toSeconds() + " seconds";
                default -> from;
            };
        }
    }

    /** What a search is told. */
    protected abstract H told(Search search);

    /** What stands for parts in the frame, beside conditions, order and field. */
    protected abstract Map<String, String> parts(H told);

    /** The name of the block for a condition. */
    protected String block(String condition, H told) {
        return PREFIX + condition;
    }

    /** Puts a condition so that it is found as it should be. */
    protected abstract String around(Subject subject, String condition, H told);

    /** What stands for parts in all blocks. */
    protected Map<String, String> names() {
        return Map.of();
    }

    /** A condition that every row meets. */
    protected abstract String always();

    /** The value of this name in a block, taken from what the block is about, or from a {@link Frame}. */
    protected abstract Object value(String name, Object of);

    /** Adds what the rows of a whole result must meet beside the conditions. */
    protected void addOfWhole(Search search, List<Condition> conditions) {}

    @Override
    protected final boolean isSingle(Search search) {
        return layout.has("single") && super.isSingle(search);
    }

    /** The statement that finds the rows of the search's page. */
    public final Rows rows(Search search) {
        Slice slice = page(search);
        String frame = switch (slice.way()) {
            case SINGLE -> "single";
            case PAGE, PAGE_BACKWARDS -> "page";
            case LAST_PAGE -> "last-page";
            case WHOLE -> slice.order() == Order.UNSORTED ? "whole-unsorted" : "whole";
        };
        if (slice.way() == Way.WHOLE) {
            addOfWhole(search, slice.met());
        }
        Frame values = new Frame(slice.size(), slice.offset(), Instant.MIN, Duration.ZERO);
        return new Rows(
                compiled(frame, search, slice.order(), Optional.empty(), slice.met(), values),
                slice.way(),
                slice.size());
    }

    /** The statement that counts all rows of the search. */
    public final Compiled count(Search search) {
        Frame none = new Frame(0, 0, Instant.MIN, Duration.ZERO);
        return compiled("count", search, search.order(), Optional.empty(), of(search), none);
    }

    /** The statement that sums up all rows of the search; its rows are steps, values and counts, or values and counts. */
    public final Compiled of(Search search, Summary summary) {
        boolean isTopList = summary instanceof Summary.TopList;
        Frame values = new Frame(
                summary instanceof Summary.TopList top ? top.size() : 0,
                0,
                search.window().from(),
                summary instanceof Summary.OverTime timeline ? timeline.step(search.window()) : Duration.ZERO);
        Optional<Field> field = Optional.of(summary.field());
        return compiled(isTopList ? "top-list" : "timeline", search, Order.UNSORTED, field, of(search), values);
    }

    private Compiled compiled(
            String frame, Search search, Order order, Optional<Field> field, List<Condition> met, Frame values) {
        H told = told(search);
        List<Object> shape = new ArrayList<>(16);
        shape.add(frame);
        shape.add(order);
        shape.add(told);
        shape.add(field);
        List<Leaf> leaves = new ArrayList<>(8);
        for (Condition condition : met) {
            condition.shape(shape, leaves);
        }
        Template known = templates.get(shape); // Which takes no lock, where computing an absent one may.
        Template template = known != null
                ? known
                : templates.computeIfAbsent(shape, unused -> template(frame, order, field, met, told));
        return new Compiled(template.sql, filled(template.places, leaves, values));
    }

    /** What stands several times in a row, as an address does for both sides, is made once. */
    private List<Object> filled(List<Place> places, List<Leaf> leaves, Frame frame) {
        List<Object> filled = new ArrayList<>(places.size());
        Object earlier = frame;
        String name = "";
        for (Place place : places) {
            Object of = place.leaf < 0 ? frame : leaves.get(place.leaf).of();
            boolean isSame = of == earlier && place.name.equals(name);
            filled.add(isSame ? filled.get(filled.size() - 1) : value(place.name, of));
            earlier = of;
            name = place.name;
        }
        return filled;
    }

    /** A statement, and where each of its values comes from. */
    private record Template(String sql, List<Place> places) {}

    /** @param leaf the number of the leaf whose value it is; -1 for one of the frame */
    private record Place(int leaf, String name) {
        static Place of(String name) {
            Matcher ofLeaf = OF_LEAF.matcher(name);
            return ofLeaf.matches()
                    ? new Place(Integer.parseInt(ofLeaf.group(1)), ofLeaf.group(2))
                    : new Place(-1, name);
        }
    }

    private Template template(String frame, Order order, Optional<Field> field, List<Condition> met, H told) {
        Map<String, String> parts = new HashMap<>(names());
        parts.putAll(parts(told));
        parts.put("conditions", met.isEmpty() ? always() : String.join(AND, Condition.written(met, new Text(told))));
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
        SqlStatement statement = layout.read(frame, parts);
        return new Template(
                statement.sql(), statement.values().stream().map(Place::of).toList());
    }

    /** Conditions in SQL. The values of each leaf have names of their own, since another one may be of the same kind. */
    private final class Text implements Condition.Notation<String> {
        private final H told;
        private int leaf;

        Text(H told) {
            this.told = told;
        }

        @Override
        public String leaf(Leaf of) {
            return VALUE.matcher(layout.part(block(of.name(), told), names())).replaceAll(":'c" + leaf++ + "_");
        }

        @Override
        public String all(List<Condition> conditions, List<String> parts) {
            if (parts.size() < 2) {
                return parts.isEmpty() ? always() : parts.get(0);
            }
            return joined(conditions, parts, Leaf.class, AND);
        }

        @Override
        public String any(List<Condition> conditions, List<String> parts) {
            return "(" + joined(conditions, parts, All.class, "\n    OR ") + ")";
        }

        private static String joined(
                List<Condition> conditions, List<String> parts, Class<?> bracketed, String between) {
            return IntStream.range(0, parts.size())
                    .mapToObj(i -> bracketed.isInstance(conditions.get(i)) ? "(" + parts.get(i) + ")" : parts.get(i))
                    .collect(Collectors.joining(between));
        }

        @Override
        public String about(Subject subject, String condition) {
            return around(subject, condition, told);
        }
    }
}
