package siemload.dataset;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import siemload.dataset.ValuePools.DetectorValue;
import siemload.dataset.ValuePools.Pool;
import siemload.dataset.ValuePools.SideValues;
import siemload.event.AddressRange;
import siemload.query.CountedValue;
import siemload.query.ValueField;
import siemload.query.ValueField.Beside;

/**
 * The values that queries gave of existing events, the most frequent first; equal counts in the order of the values, so that the
 * same data give the same classes. Those of a kind are cut into classes as {@link ValuePools} cuts those of a data set. Immutable.
 */
public final class ExistingValues {
    private static final String ABSENT = "absent.of.existing.data";

    private final Map<ValueField, List<CountedValue>> ranked = new EnumMap<>(ValueField.class);
    private final List<AddressRange> absentAddresses;

    /** @param values of each kind that is there at least one, none of which its {@link ValueField#refusal} refuses */
    public ExistingValues(Map<ValueField, List<CountedValue>> values) {
        values.forEach((field, some) -> ranked.put(field, ranked(some)));
        AbsentAddresses absent = new AbsentAddresses();
        for (ValueField field : List.of(ValueField.ADDRESS, ValueField.SOURCE, ValueField.TARGET)) {
            of(field).forEach(value -> absent.remove(AddressRange.parse(value.value())));
        }
        this.absentAddresses = absent.addresses();
    }

    private static List<CountedValue> ranked(List<CountedValue> values) {
        Map<String, CountedValue> byValue = new LinkedHashMap<>();
        values.forEach(value -> byValue.merge(
                value.value(),
                value,
                (one, more) -> new CountedValue(one.value(), one.events() + more.events(), one.beside())));
        List<CountedValue> ranked = new ArrayList<>(byValue.values());
        ranked.sort(Comparator.comparingLong((CountedValue value) -> -value.events())
                .thenComparing(CountedValue::value));
        return Collections.unmodifiableList(ranked);
    }

    private List<CountedValue> of(ValueField field) {
        return ranked.getOrDefault(field, List.of());
    }

    /** The kinds that there are, with how many different values. */
    public Map<ValueField, Integer> counts() {
        Map<ValueField, Integer> counts = new EnumMap<>(ValueField.class);
        ranked.forEach((field, values) -> counts.put(field, values.size()));
        return counts;
    }

    /** Whether there are values of this kind. */
    public boolean has(ValueField field) {
        return ranked.containsKey(field);
    }

    /** Whether any of them comes with such a one. */
    public boolean has(ValueField field, Beside beside) {
        return of(field).stream().anyMatch(value -> value.beside().containsKey(beside));
    }

    /** What searches draw from. Kinds that are not there have absent values alone. */
    public ValuePools pools() {
        String absentCategory = absent(ValueField.CATEGORY);
        String absentDetector = absent(ValueField.DETECTOR);
        ValuePools.Ranked values = new ValuePools.Ranked(
                of(ValueField.ADDRESS).stream()
                        .map(value -> new ExistingAddress(value, absentCategory, absentDetector))
                        .toList(),
                texts(ValueField.CATEGORY),
                absentCategory,
                of(ValueField.DETECTOR).stream()
                        .map(value -> new DetectorValue(
                                value.value(), value.beside().getOrDefault(Beside.CATEGORY, absentCategory)))
                        .toList(),
                absentDetector,
                ports(ValueField.PORT),
                side(ValueField.SOURCE, ValueField.SOURCE_PORT),
                side(ValueField.TARGET, ValueField.TARGET_PORT),
                new ValuePools.TextPools(
                        Pool.ofRanked(texts(ValueField.TEXT), List.of(absent(ValueField.TEXT))),
                        Pool.ofRanked(texts(ValueField.DESCRIPTION), List.of(absent(ValueField.DESCRIPTION)))),
                new ValuePools.EventIds(
                        texts(ValueField.ID).stream()
                                .limit(ValuePools.MOST_CANDIDATES)
                                .toList(),
                        absentId()),
                absentAddresses);
        return values.pools(absentCategory, absentDetector, new LinkedHashMap<>());
    }

    private List<String> texts(ValueField field) {
        return of(field).stream().map(CountedValue::value).toList();
    }

    /** An address that a query gave, with what it gave beside it. */
    private record ExistingAddress(
            AddressRange address, long events, String category, String detector, OptionalInt anyPort)
            implements ValuePools.CountedAddress {
        ExistingAddress(CountedValue value, String absentCategory, String absentDetector) {
            this(
                    AddressRange.parse(value.value()),
                    value.events(),
                    value.beside().getOrDefault(Beside.CATEGORY, absentCategory),
                    value.beside().getOrDefault(Beside.DETECTOR, absentDetector),
                    Stream.ofNullable(value.beside().get(Beside.PORT))
                            .mapToInt(Integer::parseInt)
                            .findFirst());
        }

        @Override
        public OptionalInt portBeside() {
            return anyPort;
        }
    }

    /** A text that is none of the values; the queries may not have given all that there are. */
    private String absent(ValueField field) {
        Set<String> known = new HashSet<>(texts(field));
        String absent = ABSENT;
        while (known.contains(absent)) {
            absent += "x";
        }
        return absent;
    }

    /** Where ids are numbers, so that tables take no other, one that no counter has come to. */
    private String absentId() {
        List<CountedValue> ids = of(ValueField.ID);
        boolean numbers =
                !ids.isEmpty() && ids.stream().allMatch(id -> id.value().matches("-?[0-9]{1,18}"));
        return numbers ? "-1" : "00000000-0000-0000-0000-000000000000";
    }

    private SideValues side(ValueField addresses, ValueField ports) {
        return new SideValues(
                Pool.ofRanked(texts(addresses), AddressRange::parse, absentAddresses),
                ValuePools.Ranked.ports(ports(ports)));
    }

    private List<Integer> ports(ValueField field) {
        return texts(field).stream().map(Integer::valueOf).toList();
    }
}
