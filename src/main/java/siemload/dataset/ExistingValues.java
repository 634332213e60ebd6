package siemload.dataset;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import siemload.dataset.ValuePools.AbsentAddresses;
import siemload.dataset.ValuePools.Pool;
import siemload.dataset.ValuePools.Value;
import siemload.event.AddressRange;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/**
 * The values that queries gave of existing events, the most frequent first; equal counts in the order of the values, so that the
 * same data give the same classes. Those of a kind are cut into classes as {@link ValuePools} cuts those of a data set. Immutable.
 */
public final class ExistingValues {
    private static final String ABSENT = "absent.of.existing.data";

    private final Map<ValueField, List<CountedValue>> ranked = new EnumMap<>(ValueField.class);
    private final AbsentAddresses absentAddresses = new AbsentAddresses();

    /** @param values of each kind that is there at least one, none of which its {@link ValueField#refusal} refuses */
    public ExistingValues(Map<ValueField, List<CountedValue>> values) {
        values.forEach((field, some) -> ranked.put(field, ranked(some)));
        for (ValueField field : List.of(ValueField.ADDRESS, ValueField.SOURCE, ValueField.TARGET)) {
            of(field).forEach(value -> absentAddresses.remove(AddressRange.parse(value.value())));
        }
    }

    private static List<CountedValue> ranked(List<CountedValue> values) {
        Map<String, CountedValue> byValue = new LinkedHashMap<>();
        values.forEach(value -> byValue.merge(
                value.value(),
                value,
                (one, more) -> new CountedValue(one.value(), one.events() + more.events(), one.beside())));
        return byValue.values().stream()
                .sorted(Comparator.comparingLong((CountedValue value) -> -value.events())
                        .thenComparing(CountedValue::value))
                .toList();
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
    public boolean has(ValueField field, ValueField beside) {
        return of(field).stream().anyMatch(value -> value.beside().containsKey(beside));
    }

    /** What searches draw from. Kinds that are not there have absent values alone. */
    public ValuePools pools() {
        String category = absent(ValueField.CATEGORY);
        String detector = absent(ValueField.DETECTOR);
        int anyPort = texts(ValueField.PORT).stream()
                .mapToInt(Integer::parseInt)
                .findFirst()
                .orElse(0);
        List<Value> none = absentAddresses.values(category, detector, anyPort);
        Function<CountedValue, Value> made = value -> new Value(
                value.value(),
                value.beside().getOrDefault(ValueField.CATEGORY, category),
                value.beside().getOrDefault(ValueField.DETECTOR, detector),
                Integer.parseInt(value.beside().getOrDefault(ValueField.PORT, String.valueOf(anyPort))));
        Map<ValueField, Pool> pools = new EnumMap<>(ValueField.class);
        for (ValueField field : ValueField.values()) {
            List<String> texts = texts(field);
            Pool pool = switch (field) {
                case ADDRESS, SOURCE, TARGET -> Pool.ofRanked(of(field), made, none);
                case PORT, SOURCE_PORT, TARGET_PORT ->
                    Pool.ofPorts(texts.stream().map(Integer::valueOf).toList());
                case CATEGORY, TEXT, DESCRIPTION -> Pool.ofTexts(texts, absent(field));
                case DETECTOR -> Pool.ofRanked(of(field), made, List.of(new Value(detector, category, "", 0)));
                case ID ->
                    Pool.ofIds(texts.stream().limit(ValuePools.MOST_CANDIDATES).toList(), absentId());
            };
            pools.put(field, pool);
        }
        List<CountedValue> addresses = of(ValueField.ADDRESS);
        List<CountedValue> services = addresses.stream()
                .filter(value -> value.beside().containsKey(ValueField.PORT))
                .toList();
        return new ValuePools(
                ValuePools.FORMAT_VERSION,
                pools,
                Pool.ofRanked(services, made, none),
                ValuePools.ranges(
                        addresses,
                        value -> AddressRange.parse(value.value()),
                        CountedValue::events,
                        value -> made.apply(value).category(),
                        none));
    }

    private List<String> texts(ValueField field) {
        return of(field).stream().map(CountedValue::value).toList();
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
}
