package siemload.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.RegularFile;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
import siemload.event.AddressRange;
import siemload.query.Criterion.AddressMatches;

/**
 * The definition of a search from its file. Immutable.
 *
 * @param description one line for people
 * @param criteria the conditions, all of which an event must meet; without conditions, the search finds every event
 * @param summary the summary of the events; empty if the search lists events
 * @param wholeOrder the fixed order in which the whole result is read; empty if users choose an order
 * @param window the fixed time range; empty if users choose a time range
 * @param refinements the narrower searches that a user can ask after seeing a row: each has one more criterion, or is DETAIL; may be empty
 */
public record SearchDefinition(
        @YamlRecords.Inline SearchName name,
        String description,
        @Key(standard = "[]") List<Criterion> criteria,
        Optional<Summary> summary,
        Optional<Order> wholeOrder,
        @Key(allowed = "always") Optional<Window> window,

        @Key(allowed = "name", standard = "[DETAIL]") List<SearchName> refinements) {
    /** The name of any search. */
    public static final ValueType<SearchName> NAME =
            new ValueType<>("name of a search", SearchName.DETAIL, SearchName::new);

    private static final AddressRange NOWHERE = AddressRange.parse("192.0.2.1");

    /** One address or more, as an address, a network or a range. */
    public static final ValueType<AddressRange> RANGE =
            new ValueType<>("address, network or range", NOWHERE, AddressRange::parse);

    /** One address. */
    public static final ValueType<AddressRange> ADDRESS = new ValueType<>("address", NOWHERE, text -> {
        AddressRange range = AddressRange.parse(text);
        ValueType.require(range.isSingle(), "'" + text + "' is more than one address (use the key range)");
        return range;
    });

    private static final String BUILT_IN = "searches.yaml";
    private static final String DRAWN = "drawn";
    private static final String MISSING = "missing";
    private static final String ANY_OF = "anyOf";
    private static final List<String> KEYS = Stream.concat(
                    Stream.of(CriterionKey.values()).map(CriterionKey::label), Stream.of(MISSING, ANY_OF))
            .toList();
    private static final ValueType<Integer> PORT = ValueType.wholeNumber(0, 65_535);
    private static final Pattern PORT_RANGE = Pattern.compile("([0-9]{1,9}) *- *([0-9]{1,9})");
    private static final ValueType<CriterionKey> PART =
            ValueType.choice(Choices.of(Criterion.Missing.PARTS, CriterionKey::label));
    private static final ValueType<EventSide> SIDE = ValueType.choice(Choices.camelCase(EventSide.class));

    public SearchDefinition {
        criteria = List.copyOf(criteria);
        refinements = summary.isPresent() ? List.of() : List.copyOf(refinements);
        boolean lists = summary.isEmpty() || wholeOrder.isEmpty();
        Misfit.require(lists, "wholeOrder", "is only for searches that list events (remove wholeOrder or summary)");
    }

    /** A definition without a fixed order, a fixed window and refinements. */
    public SearchDefinition(SearchName name, String description, List<Criterion> criteria, Optional<Summary> summary) {
        this(name, description, criteria, summary, Optional.empty(), Optional.empty(), List.of());
    }

    /** Returns the order of a page's rows: the wanted order, which {@link #wholeOrder} replaces for the whole result. */
    public Order order(Page page, Order wanted) {
        return page instanceof Page.Whole ? wholeOrder.orElse(wanted) : wanted;
    }

    /** Returns the criteria of the search, with given values in place of the drawn values. */
    public List<Criterion> criteria(Function<Criterion.Drawn, Criterion> values) {
        List<Criterion> filled = new ArrayList<>(criteria.size());
        criteria.forEach(criterion -> filled.add(criterion.with(values)));
        return filled;
    }

    /** Returns whether the search has a drawn value of this kind. */
    public boolean draws(CriterionKey key) {
        return drawn().anyMatch(drawn -> drawn.key() == key);
    }

    /** The common side of all drawn values; {@link EventSide#EITHER} if they have no common side. */
    public EventSide side() {
        List<EventSide> sides = drawn().filter(drawn -> drawn.key().hasSides())
                .map(Criterion.Drawn::side)
                .distinct()
                .toList();
        return sides.size() == 1 ? sides.get(0) : EventSide.EITHER;
    }

    /** The additional criterion of another search; empty unless it has exactly one more criterion, with a drawn value. */
    public Optional<Criterion.Drawn> addedBy(SearchDefinition other) {
        List<Criterion> added = new ArrayList<>(other.criteria());
        boolean hasAll = criteria.stream().allMatch(added::remove);
        return hasAll && added.size() == 1 && added.get(0) instanceof Criterion.Drawn drawn
                ? Optional.of(drawn)
                : Optional.empty();
    }

    private Stream<Criterion.Drawn> drawn() {
        return criteria.stream().flatMap(Criterion::drawn);
    }

    /** Reads the search of this name from its node; empty if anything is wrong, which becomes a problem. */
    public static Optional<SearchDefinition> read(YamlNode node, SearchName name) {
        return records()
                .with("always", ValueType.choice(new Choices<>(Map.of("always", Window.ALWAYS))))
                .reading(
                        SearchName.class,
                        (one, type, allowed) -> allowed.isEmpty() ? Optional.of(name) : one.find(NAME))
                .reading(Criterion.class, SearchDefinition::criterion)
                .reading(Summary.class, SearchDefinition::summary)
                .record(node, SearchDefinition.class);
    }

    private static YamlRecords records() {
        return new YamlRecords(value -> {})
                .with(Field.class, ValueType.choice(Choices.of(Field.class, Field::label)))
                .with(AddressRange.class, RANGE);
    }

    /** Siemload's own searches, in their order. */
    static List<SearchDefinition> builtIn() {
        String yaml = RegularFile.resource(SearchDefinition.class, BUILT_IN);
        Function<YamlNode, List<SearchDefinition>> reader = top -> top.entries().entrySet().stream()
                .flatMap(one -> read(one.getValue(), new SearchName(one.getKey())).stream())
                .toList();
        return YamlNode.parse(BUILT_IN, yaml, new Problems(), reader);
    }

    private static Optional<? extends Summary> summary(YamlNode node) {
        boolean isList = node.peek("topList").isPresent();
        if (!isList && node.isMapping() && node.peek("timeline").isEmpty()) {
            node.problem("has neither timeline nor topList (needed: one of them, with the field to group events by)");
            return Optional.empty();
        }
        Class<? extends Summary> type = isList ? Summary.TopList.class : Summary.Timeline.class;
        return records().record(node, type);
    }

    /** Reads a criterion from its node; empty if anything is wrong, which becomes a problem. */
    private static Optional<? extends Criterion> criterion(YamlNode node) {
        if (!node.isMapping()) {
            node.problem("is not a criterion (write for example category: drawn)");
            return Optional.empty();
        }
        List<String> keys = node.present(KEYS);
        Optional<YamlNode> side = node.optional("side");
        if (keys.size() != 1) {
            node.problem("has " + (keys.isEmpty() ? "no criterion" : String.join(" and ", keys)) + " (needed: one of "
                    + String.join(", ", KEYS) + ")");
            return Optional.empty();
        }
        String label = keys.get(0);
        YamlNode value = node.required(label);
        Optional<CriterionKey> key = label.equals(MISSING)
                ? value.find(PART)
                : Choices.of(CriterionKey.class, CriterionKey::label).find(label);
        if (key.map(one -> !one.hasSides()).orElse(label.equals(ANY_OF))) {
            side.ifPresent(written -> written.problem(
                    "does not fit " + key.map(CriterionKey::label).orElse(label) + " (remove it)"));
        }
        EventSide on = side.flatMap(written -> written.find(SIDE)).orElse(EventSide.EITHER);
        return label.equals(ANY_OF)
                ? anyOf(value)
                : label.equals(MISSING)
                        ? key.map(part -> new Criterion.Missing(part, on))
                        : written(key.orElseThrow(), value, on);
    }

    /** Each element is a criterion, or a list of criteria that an event must all meet. */
    private static Optional<Criterion> anyOf(YamlNode node) {
        List<List<Criterion>> groups = new ArrayList<>();
        for (YamlNode element : node.elements()) {
            List<YamlNode> together = element.isList() ? element.elements() : List.of(element);
            if (together.isEmpty()) {
                element.problem("is empty (needed: at least one criterion)");
            }
            List<Criterion> group = new ArrayList<>();
            together.forEach(one -> criterion(one).ifPresent(group::add));
            groups.add(group);
        }
        if (node.isList() && groups.size() < 2) {
            node.problem("has fewer than two alternatives (needed: two or more criteria or lists of criteria)");
        }
        boolean isGood = groups.size() >= 2 && groups.stream().noneMatch(List::isEmpty);
        return isGood ? Optional.of(new Criterion.AnyOf(groups)) : Optional.empty();
    }

    private static Optional<? extends Criterion> written(CriterionKey key, YamlNode value, EventSide side) {
        if (value.written().equals(DRAWN)) {
            return Optional.of(new Criterion.Drawn(key, side));
        } else if (key == CriterionKey.SERVICE) {
            return records().record(value, Criterion.AddressAndPortOnOneSide.class);
        }
        List<YamlNode> written = key == CriterionKey.ADDRESSES || value.isList() ? value.elements() : List.of(value);
        if (value.isList() && written.isEmpty()) {
            value.problem("is empty (needed: at least one value)");
        }
        ValueType<Criterion> type =
                new ValueType<>(key.label(), CriterionKey.ID.is(""), text -> fixed(key, text, side));
        List<Criterion> each =
                written.stream().flatMap(one -> one.find(type).stream()).toList();
        List<AddressRange> ranges = each.stream()
                .flatMap(one -> one instanceof AddressMatches of ? of.anyOf().stream() : Stream.empty())
                .toList();
        return !ranges.isEmpty()
                ? Optional.of(new AddressMatches(ranges, side))
                : each.size() > 1
                        ? Optional.of(
                                new Criterion.AnyOf(each.stream().map(List::of).toList()))
                        : each.stream().findFirst();
    }

    /** Makes a criterion from its text in the file. */
    private static Criterion fixed(CriterionKey key, String text, EventSide side) {
        ValueType.require(!text.equals(DRAWN), "drawn cannot be part of a list (write drawn instead of the list)");
        return switch (key) {
            case ADDRESS -> new AddressMatches(List.of(ADDRESS.parse(text)), side);
            case ADDRESSES, RANGE -> new AddressMatches(List.of(RANGE.parse(text)), side);
            case PORT -> {
                Matcher range = PORT_RANGE.matcher(text);
                boolean isRange = range.matches();
                int first = PORT.parse(isRange ? range.group(1) : text);
                yield new Criterion.PortUsed(first, isRange ? PORT.parse(range.group(2)) : first, side);
            }
            case CATEGORY, DETECTOR, SERVICE, ID, TEXT, DESCRIPTION ->
                key.is(ValueType.text().parse(text));
        };
    }
}
