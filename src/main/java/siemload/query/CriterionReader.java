package siemload.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.event.AddressRange;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DescriptionIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.Criterion.TextContains;

/** Reads the criteria in the files of searches: a mapping of what is looked for, and on which side. Stateless. */
final class CriterionReader {
    private static final String DRAWN = "drawn";
    private static final Choices<EventSide> SIDES = Choices.camelCase(EventSide.class);
    private static final ValueType<Integer> PORT = ValueType.wholeNumber(0, 65_535);
    private static final ValueType<AddressRange> RANGE =
            ValueType.of("address, network or range", AddressRange.parse("192.0.2.1"), AddressRange::parse);
    private static final ValueType<AddressRange> ADDRESS =
            ValueType.of("address", AddressRange.parse("192.0.2.1"), CriterionReader::single);

    private CriterionReader() {}

    /** The criterion that is written here; empty if it is wrong, which is then noted. */
    static Optional<CriterionTemplate> read(YamlNode node) {
        if (!node.isMapping()) {
            node.problem("is no criterion (write for example category: drawn)");
            return Optional.empty();
        }
        List<CriterionKey> keys = Stream.of(CriterionKey.values())
                .filter(key -> node.optional(key.label()).isPresent())
                .toList();
        Optional<YamlNode> side = node.optional("side");
        if (keys.size() != 1) {
            node.problem("looks for " + (keys.isEmpty() ? "nothing" : words(keys)) + " (needed: one of "
                    + words(List.of(CriterionKey.values())) + ")");
            return Optional.empty();
        }
        CriterionKey key = keys.get(0);
        side.filter(written -> !key.hasSides())
                .ifPresent(written -> written.problem("is not for " + key.label() + " (leave it out)"));
        EventSide on = side.map(written -> written.choice(SIDES)).orElse(EventSide.EITHER);
        return Optional.of(template(key, node.required(key.label()), on));
    }

    private static CriterionTemplate template(CriterionKey key, YamlNode value, EventSide side) {
        return value.written().equals(DRAWN)
                ? new CriterionTemplate.Drawn(key, side)
                : new CriterionTemplate.Fixed(fixed(key, value, side));
    }

    private static Criterion fixed(CriterionKey key, YamlNode value, EventSide side) {
        return switch (key) {
            case ADDRESS -> new AddressFigured(List.of(value.as(ADDRESS)), side);
            case ADDRESSES -> new AddressFigured(list(value), side);
            case RANGE -> new AddressFigured(List.of(value.as(RANGE)), side);
            case CATEGORY -> new CategoryIs(value.text());
            case DETECTOR -> new DetectorIs(value.text());
            case PORT -> new PortUsed(value.as(PORT), side);
            case SERVICE ->
                new AddressAndPortOnOneSide(
                        value.required("address").as(RANGE),
                        value.required("port").as(PORT));
            case ID -> new IdIs(value.text());
            case TEXT -> new TextContains(value.text());
            case DESCRIPTION -> new DescriptionIs(value.text());
        };
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

    private static String words(List<CriterionKey> keys) {
        return keys.stream().map(CriterionKey::label).collect(Collectors.joining(", "));
    }
}
