package siemload.query;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.ValueType;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.event.AddressRange;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DescriptionIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.EventPart;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.Missing;
import siemload.query.Criterion.PortBetween;
import siemload.query.Criterion.PortUsed;
import siemload.query.Criterion.TextContains;

/** Reads the files of searches, each of which has the name of its search. Stateless and thread-safe. */
public final class SearchReader {
    /** As many as Hawat draws at most. */
    private static final String TIMELINE_STEPS = "200";

    private static final String TOP_LIST_SIZE = "20";
    private static final ValueType<Integer> LINES = ValueType.wholeNumber(1, 1000);
    private static final Choices<Field> FIELDS = Choices.of(Field.class, Field::label);
    private static final Choices<Order> ORDERS = Choices.camelCase(Order.class);
    private static final Choices<Order> SORTED = sorted();
    private static final ValueType<SearchName> NAME =
            ValueType.of("name of a search", SearchName.DETAIL, SearchName::new);
    private static final double USUAL_SHARE = 0.001;
    private static final String DRAWN = "drawn";
    private static final String MISSING = "missing";
    private static final String ANY_OF = "anyOf";
    private static final List<String> KEYS = Stream.concat(
                    Stream.of(CriterionKey.values()).map(CriterionKey::label), Stream.of(MISSING, ANY_OF))
            .toList();
    private static final Pattern PORT_RANGE = Pattern.compile("([0-9]{1,9}) *- *([0-9]{1,9})");
    private static final Choices<EventPart> PARTS = Choices.camelCase(EventPart.class);
    private static final Choices<EventSide> SIDES = Choices.camelCase(EventSide.class);
    private static final ValueType<Integer> PORT = ValueType.wholeNumber(0, 65_535);
    /** Any addresses, one or more. */
    public static final ValueType<AddressRange> RANGE =
            ValueType.of("address, network or range", AddressRange.parse("192.0.2.1"), AddressRange::parse);
    /** One address. */
    public static final ValueType<AddressRange> ADDRESS =
            ValueType.of("address", AddressRange.parse("192.0.2.1"), SearchReader::single);

    private SearchReader() {}

    private static Choices<Order> sorted() {
        Map<String, Order> sorted = new LinkedHashMap<>(ORDERS.byName());
        sorted.values().remove(Order.UNSORTED);
        return new Choices<>(sorted);
    }

    /**
     * Reads a search of one's own.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with the file
     */
    public static SearchDefinition read(Path file, String shownAs, SearchName name) {
        return YamlDocument.read(file, shownAs, new Problems(), top -> definition(top, name));
    }

    /** A search that siemload brings. */
    static SearchDefinition builtIn(SearchName name) {
        String file = "searches/" + name + ".yaml";
        try (InputStream text = Objects.requireNonNull(SearchReader.class.getResourceAsStream(file), file)) {
            String yaml = new String(text.readAllBytes(), StandardCharsets.UTF_8);
            return YamlDocument.parse(file, yaml, new Problems(), top -> definition(top, name));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }

    private static SearchDefinition definition(YamlNode top, SearchName name) {
        String description = top.required("description").text();
        List<CriterionTemplate> criteria = new ArrayList<>();
        top.optional("criteria")
                .ifPresent(list ->
                        list.elements().forEach(element -> criterion(element).ifPresent(criteria::add)));
        Optional<Summary> summary = top.optional("summary").map(SearchReader::summary);
        Optional<YamlNode> order = top.optional("order");
        Optional<YamlNode> wholeOrder = top.optional("wholeOrder");
        Optional<YamlNode> refinements = top.optional("refinements");
        if (summary.isPresent()) {
            for (Optional<YamlNode> key : List.of(order, wholeOrder, refinements)) {
                key.ifPresent(node -> node.problem("is for searches that list events (leave it, or summary, out)"));
            }
        }
        return new SearchDefinition(
                name,
                description,
                criteria,
                summary,
                new SearchDefinition.OwnOrder(
                        order.map(node -> node.choice(SORTED)), wholeOrder.map(node -> node.choice(ORDERS))),
                top.optional("window").map(SearchReader::always),
                refinements
                        .map(SearchReader::names)
                        .orElse(summary.isPresent() ? List.of() : List.of(SearchName.DETAIL)),
                top.optional("share")
                        .map(share -> share.as(ValueType.ratio()))
                        .orElse(summary.isPresent() ? 0 : USUAL_SHARE));
    }

    private static Summary summary(YamlNode node) {
        Optional<YamlNode> timeline = node.optional("timeline");
        Optional<YamlNode> topList = node.optional("topList");
        Optional<YamlNode> steps = node.optional("steps");
        Optional<YamlNode> size = node.optional("size");
        if (timeline.isPresent() == topList.isPresent() && node.isMapping()) {
            node.problem("has " + (timeline.isPresent() ? "both" : "neither")
                    + " timeline and topList (needed: one of them, with what events are grouped by)");
        }
        if (timeline.isPresent()) {
            size.ifPresent(written -> written.problem("is for topList (leave it out, or give steps)"));
            return new Summary.Timeline(timeline.get().choice(FIELDS), lines(steps, TIMELINE_STEPS));
        }
        steps.ifPresent(written -> written.problem("is for timeline (leave it out, or give size)"));
        return new Summary.TopList(
                topList.map(field -> field.choice(FIELDS)).orElse(Field.CATEGORY), lines(size, TOP_LIST_SIZE));
    }

    private static int lines(Optional<YamlNode> written, String standard) {
        return written.map(lines -> lines.as(LINES)).orElseGet(() -> LINES.parse(standard));
    }

    private static Window always(YamlNode node) {
        node.choice(Choices.names(List.of("always")));
        return Window.ALWAYS;
    }

    private static List<SearchName> names(YamlNode node) {
        return node.elements().stream().map(element -> element.as(NAME)).toList();
    }

    /** The criterion that is written here; empty if it is wrong, which is then noted. */
    private static Optional<CriterionTemplate> criterion(YamlNode node) {
        if (!node.isMapping()) {
            node.problem("is no criterion (write for example category: drawn)");
            return Optional.empty();
        }
        List<String> keys =
                KEYS.stream().filter(key -> node.optional(key).isPresent()).toList();
        Optional<YamlNode> side = node.optional("side");
        if (keys.size() != 1) {
            node.problem("looks for " + (keys.isEmpty() ? "nothing" : String.join(", ", keys)) + " (needed: one of "
                    + String.join(", ", KEYS) + ")");
            return Optional.empty();
        }
        YamlNode value = node.required(keys.get(0));
        if (keys.get(0).equals(ANY_OF)) {
            refuseSide(side, ANY_OF);
            return anyOf(value);
        }
        EventSide on = side.map(written -> written.choice(SIDES)).orElse(EventSide.EITHER);
        if (keys.get(0).equals(MISSING)) {
            EventPart part = value.choice(PARTS);
            side.filter(written -> !part.hasSides()).ifPresent(written -> refuseSide(side, part.label()));
            return Optional.of(new CriterionTemplate.Fixed(new Missing(part, on)));
        }
        CriterionKey key = CriterionKey.valueOf(keys.get(0).toUpperCase(Locale.ROOT));
        if (!key.hasSides()) {
            refuseSide(side, key.label());
        }
        return template(key, value, on);
    }

    private static void refuseSide(Optional<YamlNode> side, String key) {
        side.ifPresent(written -> written.problem("is not for " + key + " (leave it out)"));
    }

    /** Each element is a criterion, or a list of some that must all be met. */
    private static Optional<CriterionTemplate> anyOf(YamlNode node) {
        List<List<CriterionTemplate>> groups = new ArrayList<>();
        for (YamlNode element : node.elements()) {
            List<CriterionTemplate> group = new ArrayList<>();
            List<YamlNode> together = element.isList() ? element.elements() : List.of(element);
            together.forEach(one -> criterion(one).ifPresent(group::add));
            if (element.isList() && together.isEmpty()) {
                element.problem("is empty (needed: at least one criterion)");
            }
            groups.add(group);
        }
        if (node.isList() && groups.size() < 2) {
            node.problem("leaves no choice (needed: two criteria or more, or lists of some)");
        }
        boolean isGood = groups.size() >= 2 && groups.stream().noneMatch(List::isEmpty);
        return isGood ? Optional.of(new CriterionTemplate.AnyOf(groups)) : Optional.empty();
    }

    private static Optional<CriterionTemplate> template(CriterionKey key, YamlNode value, EventSide side) {
        if (value.written().equals(DRAWN)) {
            return Optional.of(new CriterionTemplate.Drawn(key, side));
        }
        if (!value.isList() || !key.hasLists()) {
            return Optional.of(new CriterionTemplate.Fixed(fixed(key, value, side)));
        }
        List<List<CriterionTemplate>> each = new ArrayList<>();
        for (YamlNode element : value.elements()) {
            each.add(List.of(new CriterionTemplate.Fixed(fixed(key, element, side))));
        }
        if (each.isEmpty()) {
            value.problem("is empty (needed: at least one " + key.label() + ")");
            return Optional.empty();
        }
        return Optional.of(each.size() == 1 ? each.get(0).get(0) : new CriterionTemplate.AnyOf(each));
    }

    private static Criterion fixed(CriterionKey key, YamlNode value, EventSide side) {
        return switch (key) {
            case ADDRESS -> new AddressFigured(List.of(value.as(ADDRESS)), side);
            case ADDRESSES -> new AddressFigured(list(value), side);
            case RANGE -> new AddressFigured(List.of(value.as(RANGE)), side);
            case CATEGORY -> new CategoryIs(value.text());
            case DETECTOR -> new DetectorIs(value.text());
            case PORT -> port(value, side);
            case SERVICE ->
                new AddressAndPortOnOneSide(
                        value.required("address").as(RANGE),
                        value.required("port").as(PORT));
            case ID -> new IdIs(value.text());
            case TEXT -> new TextContains(value.text());
            case DESCRIPTION -> new DescriptionIs(value.text());
        };
    }

    /** A port, or a range of some: {@code 6000-6063}. */
    private static Criterion port(YamlNode value, EventSide side) {
        Matcher range = PORT_RANGE.matcher(value.written());
        if (!range.matches()) {
            return new PortUsed(value.as(PORT), side);
        }
        try {
            return new PortBetween(PORT.parse(range.group(1)), PORT.parse(range.group(2)), side);
        } catch (IllegalArgumentException wrong) {
            value.problem(String.valueOf(wrong.getMessage()));
            return new PortUsed(0, side);
        }
    }

    private static List<AddressRange> list(YamlNode node) {
        List<AddressRange> addresses = new ArrayList<>();
        node.elements().forEach(element -> addresses.add(element.as(RANGE)));
        if (addresses.isEmpty()) {
            if (node.isList()) {
                node.problem("is empty (needed: at least one address, network or range)");
            }
            addresses.add(AddressRange.parse("192.0.2.1"));
        }
        return addresses;
    }

    private static AddressRange single(String text) {
        AddressRange range = AddressRange.parse(text);
        if (!range.isSingle()) {
            throw new IllegalArgumentException("'" + text + "' is more than one address (write it as range)");
        }
        return range;
    }
}
