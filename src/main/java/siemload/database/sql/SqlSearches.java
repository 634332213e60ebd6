package siemload.database.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.database.layout.SearchConditions;
import siemload.database.sql.SqlSearches.Compiled;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.EventSide;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * Translates searches into statements of a layout: a frame around conditions, each a block that is parsed once. Searches of the same kind
 * have the same text, whatever their values. Thread-safe.
 */
public abstract class SqlSearches extends SearchConditions<Compiled> {
    /** Stands in {@link #hidden} for the window, the key of a page and the order. */
    public static final String TIME = "time";
    /** Stands in {@link #hidden} for the conditions on anything except the time. */
    public static final String FIELDS = "fields";
    /** The block that finds events in a table of addresses, by their ids. */
    public static final String LOOKUP = "lookup";

    /** The suffix of blocks that no index can answer. */
    private static final String HIDDEN = "-hidden";

    private static final String JSON_WINDOW = "json-window";
    private static final Compiled ALWAYS = new Compiled("1 = 1", List.of());
    /** The placeholder for conditions in the block around them. */
    private static final String CONDITIONS = "\1";

    private final SqlStatement.SqlBlocks layout;
    private final Map<String, String> names;
    private final boolean looksUp;

    private final Map<String, SqlStatement> leaves = new ConcurrentHashMap<>();
    /** Joined texts, by the separator and the single texts. */
    private final Map<List<String>, String> joined = new ConcurrentHashMap<>();
    /** Frames, by everything that determines their text. */
    private final Map<List<Object>, Frame> frames = new ConcurrentHashMap<>();

    /** @param names replacements for parts in all blocks */
    protected SqlSearches(SqlStatement.SqlBlocks layout, Map<String, String> names) {
        super(layout::has);
        this.layout = layout;
        this.names = names;
        this.looksUp = layout.has(LOOKUP);
    }

    /**
     * A statement with its values.
     *
     * @param sql with {@code ?} for each value
     * @param values the values in order
     */
    public record Compiled(String sql, List<Object> values) {}

    /**
     * The statement that finds the rows of a page.
     *
     * @param size the maximum number of rows; 0 for all
     */
    public record Rows(Compiled statement, Way way, int size) {}

    /**
     * A block around conditions.
     *
     * @param sql with the text of the conditions
     * @param parts the text before and after them
     */
    private record Frame(String sql, List<SqlStatement> parts) {}

    /** Parts that no index may answer: {@link #TIME}, {@link #FIELDS}, and blocks replaced by those with the suffix {@code -hidden}. */
    protected Set<String> hidden(Search search) {
        return Set.of();
    }

    protected String hint(Search search) {
        return "";
    }

    /** A value in a form that the driver binds. The name is the value's name in its block. */
    protected abstract Object value(String name, Object value);

    @Override
    protected final Compiled leaf(String name, Map<String, ?> values) {
        SqlStatement block =
                known(leaves, name, made -> SqlStatement.of("(" + layout.part(PREFIX + made, names) + ")"));
        return new Compiled(block.sql(), values(block, values));
    }

    /** Looks a value up without a lock. Computing an absent value may take a lock. */
    private static <K, V> V known(Map<K, V> all, K key, Function<K, V> absent) {
        V known = all.get(key);
        return known != null ? known : all.computeIfAbsent(key, absent);
    }

    private List<Object> values(SqlStatement block, Map<String, ?> of) {
        return block.values().stream()
                .map(name -> value(name, Objects.requireNonNull(of.get(name), name)))
                .toList();
    }

    @Override
    protected final Compiled all(List<Compiled> conditions) {
        return conditions.isEmpty() ? ALWAYS : joined(conditions, "\n    AND ");
    }

    @Override
    protected final Compiled any(List<Compiled> conditions) {
        return joined(conditions, "\n    OR ");
    }

    private Compiled joined(List<Compiled> conditions, String between) {
        if (conditions.size() == 1) {
            return conditions.get(0);
        }
        List<String> texts = new ArrayList<>(List.of(between));
        List<Object> values = new ArrayList<>();
        for (Compiled condition : conditions) {
            texts.add(condition.sql);
            values.addAll(condition.values);
        }
        String sql = known(joined, texts, all -> "(" + String.join(between, all.subList(1, all.size())) + ")");
        return new Compiled(sql, values);
    }

    /** Writes a condition so that the search uses the intended index. */
    @Override
    protected final Compiled about(Subject subject, Compiled condition, Search search) {
        if (subject == Subject.ADDRESS && looksUp) {
            return framed("recheck", search, condition);
        }
        return hidden(search).contains(subject == Subject.TIME ? TIME : FIELDS)
                ? framed("hidden", search, condition)
                : condition;
    }

    @Override
    protected final String window(Search search) {
        String window = super.window(search);
        return hidden(search).contains(window) && layout.has(PREFIX + window + HIDDEN) ? window + HIDDEN : window;
    }

    /** If addresses have their own table, a condition to search that table is added before the exact condition. */
    @Override
    protected final void add(Criterion criterion, Search search, List<Compiled> conditions) {
        if (looksUp && criterion instanceof Criterion.AddressMatches figured) {
            conditions.add(lookup(figured, search));
        } else if (looksUp && criterion instanceof Criterion.AddressAndPortOnOneSide both) {
            conditions.add(lookup(new Criterion.AddressMatches(List.of(both.address()), EventSide.EITHER), search));
        }
        super.add(criterion, search, conditions);
    }

    /**
     * The condition for events in which an address may occur, according to the table of addresses. These events must still meet the exact
     * condition, since the table has only networks, and no ports.
     */
    private Compiled lookup(Criterion.AddressMatches figured, Search search) {
        boolean isWide = figured.anyOf().stream().anyMatch(range -> !range.isSingle());
        List<Compiled> parts =
                new ArrayList<>(List.of(leaf(isWide ? "range" : "networks", looked(figured.anyOf(), isWide))));
        if (!search.window().isAlways()) {
            parts.add(leaf("lookup-window", values(search.window())));
        }
        if (figured.side() != EventSide.EITHER) {
            parts.add(leaf(prefix(figured.side()) + LOOKUP, Map.of()));
        }
        return framed(LOOKUP, search, about(Subject.OTHER, all(parts), search));
    }

    /**
     * The values to search for in the table of addresses, by their names in the block; only for layouts with such a table.
     *
     * @param isWide whether any range has more than one address
     */
    protected Map<String, ?> looked(List<AddressRange> anyOf, boolean isWide) {
        return Map.of();
    }

    @Override
    protected final boolean isSingle(Search search) {
        return layout.has("single") && super.isSingle(search);
    }

    public final Rows rows(Search search) {
        Slice<Compiled> slice = page(search);
        String frame = switch (slice.way()) {
            case SINGLE -> "single";
            case PAGE -> "page";
            case LAST_PAGE -> "last-page";
            case WHOLE -> slice.order() == Order.UNSORTED ? "whole-unsorted" : "whole";
        };
        // With a hint, the JSON would be read first, since only the condition on the JSON's window would not be hidden.
        if (slice.way() == Way.WHOLE
                && layout.has(PREFIX + JSON_WINDOW)
                && !search.window().isAlways()
                && hidden(search).isEmpty()) {
            slice.met().add(leaf(JSON_WINDOW, values(search.window())));
        }
        Map<String, Object> values = Map.of("limit", (long) slice.size(), "offset", slice.offset());
        return new Rows(
                framed(frame, search, slice.order(), Optional.empty(), all(slice.met()), values),
                slice.way(),
                slice.size());
    }

    public final Compiled count(Search search) {
        return framed("count", search, all(of(search)));
    }

    /** The statement that sums up all rows of the search; its rows are steps, values and counts, or only values and counts. */
    public final Compiled of(Search search, Summary summary) {
        Map<String, Object> values = Map.of();
        if (summary instanceof Summary.TopList top) {
            values = Map.of("limit", (long) top.size());
        } else if (summary instanceof Summary.OverTime timeline) {
            long seconds = timeline.step(search.window()).toSeconds();
            values = Map.of("from", search.window().from(), "seconds", seconds, "step", seconds + " seconds");
        }
        String frame = summary instanceof Summary.TopList ? "top-list" : "timeline";
        return framed(frame, search, Order.UNSORTED, Optional.of(summary.field()), all(of(search)), values);
    }

    private Compiled framed(String block, Search search, Compiled conditions) {
        return framed(block, search, Order.UNSORTED, Optional.empty(), conditions, Map.of());
    }

    /** Puts conditions into a block. */
    private Compiled framed(
            String block,
            Search search,
            Order order,
            Optional<Field> field,
            Compiled conditions,
            Map<String, Object> of) {
        Set<String> hidden = hidden(search);
        String hint = hint(search);
        List<Object> kind = List.of(block, hidden, hint, order, field, conditions.sql);
        Frame frame = known(frames, kind, absent -> {
            List<SqlStatement> parts = parts(block, hidden, hint, order, field);
            return new Frame(
                    parts.stream().map(SqlStatement::sql).collect(Collectors.joining("\n" + conditions.sql + "\n")),
                    parts);
        });
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < frame.parts.size(); i++) {
            if (i > 0) {
                values.addAll(conditions.values);
            }
            values.addAll(values(frame.parts.get(i), of));
        }
        return new Compiled(frame.sql, values);
    }

    /** The text before and after the conditions. */
    private List<SqlStatement> parts(
            String block, Set<String> hidden, String hint, Order order, Optional<Field> field) {
        Map<String, String> parts = new HashMap<>(names);
        hidden.stream()
                .filter(part -> layout.has(part + HIDDEN))
                .forEach(part -> parts.put(part, layout.part(part + HIDDEN, names)));
        parts.put("hint", hint);
        parts.put("condition", CONDITIONS);
        parts.put("conditions", CONDITIONS);
        parts.put("direction", order == Order.OLDEST_FIRST ? "ASC" : "DESC");
        parts.put("reversed", order == Order.OLDEST_FIRST ? "DESC" : "ASC");
        field.ifPresent(by -> parts.put("field", layout.part("field-" + by.label(), names)));
        parts.put(
                "lists",
                field.map(by -> "lists-" + by.label())
                        .filter(layout::has)
                        .map(lists -> layout.part(lists, names))
                        .orElse(""));
        if (block.equals(LOOKUP)) {
            // Either each event is joined with its addresses, or each address with its event.
            parts.put("id", layout.part(hidden.contains(LOOKUP) ? "id" + HIDDEN : "id", names));
            if (layout.has("id-and-time") && !hidden.contains(FIELDS)) {
                parts.put("id", layout.part("id-and-time", parts));
                parts.put("event", layout.part("event-and-time", parts));
            }
        }
        return Stream.of(layout.part(block, parts).split(CONDITIONS, -1))
                .map(SqlStatement::of)
                .toList();
    }
}
