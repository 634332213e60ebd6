package siemload.query;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
import siemload.event.AddressRange;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.AnyOf;
import siemload.query.Criterion.Missing;
import siemload.query.Criterion.PortUsed;

/** Reads what files say of searches. Stateless and thread-safe. */
public final class SearchReader {
    /** Any name of a search. */
    public static final ValueType<SearchName> NAME =
            new ValueType<>("name of a search", SearchName.DETAIL, SearchName::new);

    private static final AddressRange NOWHERE = AddressRange.parse("192.0.2.1");

    /** Any addresses, one or more. */
    public static final ValueType<AddressRange> RANGE =
            new ValueType<>("address, network or range", NOWHERE, AddressRange::parse);

    /** One address. */
    public static final ValueType<AddressRange> ADDRESS = new ValueType<>("address", NOWHERE, text -> {
        AddressRange range = AddressRange.parse(text);
        if (!range.isSingle()) {
            throw new IllegalArgumentException("'" + text + "' is more than one address (write it as range)");
        }
        return range;
    });

    private static final String BUILT_IN = "searches.yaml";
    private static final String MISSING = "missing";
    private static final String ANY_OF = "anyOf";
    private static final List<String> KEYS = Stream.concat(
                    Stream.of(CriterionKey.values()).map(CriterionKey::label), Stream.of(MISSING, ANY_OF))
            .toList();
    private static final ValueType<Integer> PORT = ValueType.wholeNumber(0, 65_535);
    private static final Pattern PORT_RANGE = Pattern.compile("([0-9]{1,9}) *- *([0-9]{1,9})");
    private static final ValueType<CriterionKey> PART =
            ValueType.choice(Choices.of(Missing.PARTS, CriterionKey::label));
    private static final ValueType<EventSide> SIDE = ValueType.choice(Choices.camelCase(EventSide.class));

    private static final YamlRecords RECORDS = new YamlRecords(value -> {})
            .with(Field.class, ValueType.choice(Choices.of(Field.class, Field::label)))
            .with(SearchName.class, NAME)
            .with(AddressRange.class, RANGE)
            .with("always", ValueType.choice(Choices.names(List.of("always"))))
            .reading(Criterion.class, SearchReader::criterion)
            .reading(Summary.class, SearchReader::summary);

    private SearchReader() {}

    record Written(
            String description,
            @Key(standard = "[]") List<Criterion> criteria,
            Optional<Summary> summary,
            Optional<Order> wholeOrder,
            @Key(allowed = "always") Optional<String> window,
            Optional<List<SearchName>> refinements) {
        Written {
            String key = wholeOrder.isPresent() ? "wholeOrder" : refinements.isPresent() ? "refinements" : "";
            if (summary.isPresent() && !key.isEmpty()) {
                throw new Misfit(key, "is for searches that list events (leave it, or summary, out)");
            }
        }

        SearchDefinition definition(SearchName name) {
            return new SearchDefinition(
                    name,
                    description,
                    criteria,
                    summary,
                    wholeOrder,
                    window.map(always -> Window.ALWAYS),
                    refinements.orElse(summary.isPresent() ? List.of() : List.of(SearchName.DETAIL)));
        }
    }

    /** The search of this name that is written here; empty if it is not all good, which is noted. */
    public static Optional<SearchDefinition> read(YamlNode node, SearchName name) {
        return RECORDS.record(node, Written.class).map(written -> written.definition(name));
    }

    /** The searches that siemload brings, in their order. */
    static List<SearchDefinition> builtIn() {
        try (InputStream text = Objects.requireNonNull(SearchReader.class.getResourceAsStream(BUILT_IN), BUILT_IN)) {
            String yaml = new String(text.readAllBytes(), StandardCharsets.UTF_8);
            return YamlNode.parse(
                    BUILT_IN,
                    yaml,
                    new Problems(),
                    top -> top.entries().entrySet().stream()
                            .flatMap(one -> read(one.getValue(), new SearchName(one.getKey())).stream())
                            .toList());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + BUILT_IN, unreadable);
        }
    }

    private static Optional<? extends Summary> summary(YamlNode node) {
        boolean isList = node.peek("topList").isPresent();
        if (!isList && node.isMapping() && node.peek("timeline").isEmpty()) {
            node.problem("has neither timeline nor topList (needed: one of them, with what events are grouped by)");
            return Optional.empty();
        }
        return isList ? RECORDS.record(node, Summary.TopList.class) : RECORDS.record(node, Summary.Timeline.class);
    }

    /** The criterion that is written here; empty if it is wrong, which is then noted. */
    private static Optional<Criterion> criterion(YamlNode node) {
        if (!node.isMapping()) {
            node.problem("is not a criterion (write for example category: drawn)");
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
        String label = keys.get(0);
        YamlNode value = node.required(label);
        Optional<CriterionKey> key = switch (label) {
            case MISSING -> value.find(PART);
            case ANY_OF -> Optional.empty();
            default -> Optional.of(CriterionKey.valueOf(label.toUpperCase(Locale.ROOT)));
        };
        if (label.equals(ANY_OF) || key.filter(one -> !one.hasSides()).isPresent()) {
            side.ifPresent(written ->
                    written.problem("is not for " + key.map(CriterionKey::label).orElse(label) + " (remove it)"));
        }
        EventSide on = side.flatMap(written -> written.find(SIDE)).orElse(EventSide.EITHER);
        return switch (label) {
            case MISSING -> key.map(part -> new Missing(part, on));
            case ANY_OF -> anyOf(value);
            default -> written(key.orElseThrow(), value, on);
        };
    }

    /** Each element is a criterion, or a list of some that must all be met. */
    private static Optional<Criterion> anyOf(YamlNode node) {
        List<List<Criterion>> groups = new ArrayList<>();
        for (YamlNode element : node.elements()) {
            List<YamlNode> together = element.isList() ? element.elements() : List.of(element);
            if (together.isEmpty()) {
                element.problem("is empty (needed: at least one criterion)");
            }
            groups.add(together.stream().flatMap(one -> criterion(one).stream()).toList());
        }
        if (node.isList() && groups.size() < 2) {
            node.problem("leaves no choice (needed: two criteria or more, or lists of some)");
        }
        boolean isGood = groups.size() >= 2 && groups.stream().noneMatch(List::isEmpty);
        return isGood ? Optional.of(new AnyOf(groups)) : Optional.empty();
    }

    private static Optional<Criterion> written(CriterionKey key, YamlNode value, EventSide side) {
        if (value.written().equals("drawn")) {
            return Optional.of(new Criterion.Drawn(key, side));
        }
        if (key == CriterionKey.SERVICE) {
            return RECORDS.record(value, AddressAndPortOnOneSide.class).map(Function.identity());
        }
        boolean isList = key == CriterionKey.ADDRESSES || (key.hasLists() && value.isList());
        List<YamlNode> written = isList ? value.elements() : List.of(value);
        if (value.isList() && written.isEmpty()) {
            value.problem("is empty (needed: at least one value)");
        }
        ValueType<Criterion> type =
                new ValueType<>(key.label(), CriterionKey.ID.is(""), text -> fixed(key, text, side));
        List<Criterion> each =
                written.stream().flatMap(one -> one.find(type).stream()).toList();
        if (key == CriterionKey.ADDRESSES && !each.isEmpty()) {
            return Optional.of(new AddressFigured(
                    each.stream()
                            .flatMap(one -> ((AddressFigured) one).anyOf().stream())
                            .toList(),
                    side));
        }
        return each.size() > 1
                ? Optional.of(new AnyOf(each.stream().map(List::of).toList()))
                : each.stream().findFirst();
    }

    /** What is drawn elsewhere, from a text of the file. */
    private static Criterion fixed(CriterionKey key, String text, EventSide side) {
        return switch (key) {
            case ADDRESS -> new AddressFigured(List.of(ADDRESS.parse(text)), side);
            case ADDRESSES, RANGE -> new AddressFigured(List.of(RANGE.parse(text)), side);
            case PORT -> {
                Matcher ports = PORT_RANGE.matcher(text);
                yield ports.matches()
                        ? new PortUsed(PORT.parse(ports.group(1)), PORT.parse(ports.group(2)), side)
                        : new PortUsed(PORT.parse(text), side);
            }
            case CATEGORY, DETECTOR, SERVICE, ID, TEXT, DESCRIPTION ->
                key.is(ValueType.text().parse(text));
        };
    }
}
