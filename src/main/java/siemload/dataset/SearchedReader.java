package siemload.dataset;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.dataset.SearchedValues.Between;
import siemload.event.AddressRange;

/** Reads the values that a data set names for those who search it. Stateless. */
final class SearchedReader {
    private static final AddressRange ANY = AddressRange.parse("192.0.2.1");
    private static final ValueType<AddressRange> RANGE =
            ValueType.of("address, network or range, such as 192.0.2.0-192.0.2.255", ANY, SearchedReader::range);
    private static final ValueType<AddressRange> ADDRESS = ValueType.of("single address", ANY, text -> {
        AddressRange range = range(text);
        if (!range.isSingle()) {
            throw new IllegalArgumentException("'" + text + "' is no single address (allowed: such as 192.0.2.1)");
        }
        return range;
    });

    private SearchedReader() {}

    /**
     * The values of each name.
     *
     * @param start of the data set
     * @param span of the data set
     */
    static Map<String, SearchedValues> read(YamlNode searched, Instant start, Duration span) {
        Map<String, SearchedValues> sets = new LinkedHashMap<>();
        searched.entries().forEach((name, node) -> {
            if (!name.matches("[a-z][A-Za-z0-9-]*") || name.equals(EventSource.DRAWN)) {
                searched.problemWithKey(
                        name,
                        "is no name of values (allowed: letters, digits and hyphens, a small letter first, and not "
                                + EventSource.DRAWN + ")");
            }
            sets.put(
                    name,
                    new SearchedValues(
                            between(node, new Between(start, start.plus(span))),
                            node.optional("address").map(address -> address.as(ADDRESS)),
                            node.optional("range").map(range -> range.as(RANGE)),
                            node.optional("category").map(YamlNode::text),
                            node.optional("detector").map(YamlNode::text),
                            node.optional("port").map(port -> port.wholeNumber(0, 65_535))));
        });
        return sets;
    }

    /** Both ends, or none; a search outside of the data would find nothing. */
    private static Optional<Between> between(YamlNode node, Between data) {
        Optional<YamlNode> from = node.optional("from");
        Optional<YamlNode> until = node.optional("until");
        if (from.isEmpty() && until.isEmpty()) {
            return Optional.empty();
        }
        Instant first = node.required("from").instant();
        Instant last = node.required("until").instant();
        boolean inside = !first.isBefore(data.from()) && !last.isAfter(data.until());
        if (from.isPresent() && until.isPresent() && (!first.isBefore(last) || !inside)) {
            until.orElseThrow()
                    .problem("from " + first + " until " + last + " is no time of this data set (allowed: from "
                            + data.from() + " until " + data.until() + ", the first one earlier)");
        }
        return Optional.of(new Between(first, last));
    }

    private static AddressRange range(String text) {
        try {
            return AddressRange.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    wrong.getMessage() + " (allowed: an address, a network or a range, such as 192.0.2.0-192.0.2.255)",
                    wrong);
        }
    }
}
