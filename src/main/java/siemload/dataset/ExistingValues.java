package siemload.dataset;

import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.dataset.ValuePools.AbsentAddresses;
import siemload.dataset.ValuePools.Seen;
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

    /** @param values of each kind that is there at least one, none of which its {@link ValueField#refusal} refuses */
    public ExistingValues(Map<ValueField, List<CountedValue>> values) {
        values.forEach((field, some) -> {
            Map<String, CountedValue> byValue = new LinkedHashMap<>();
            some.forEach(value -> byValue.merge(
                    value.value(),
                    value,
                    (one, more) -> new CountedValue(one.value(), one.events() + more.events(), one.beside())));
            ranked.put(
                    field,
                    byValue.values().stream()
                            .sorted(Comparator.comparingLong((CountedValue value) -> -value.events())
                                    .thenComparing(CountedValue::value))
                            .toList());
        });
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
        return ranked.getOrDefault(field, List.of()).stream()
                .anyMatch(value -> value.beside().containsKey(beside));
    }

    /** What searches draw from. Kinds that are not there have absent values alone. */
    public ValuePools pools() {
        AbsentAddresses absentAddresses = new AbsentAddresses();
        Map<ValueField, List<Seen>> seen = new EnumMap<>(ValueField.class);
        ranked.forEach((field, values) ->
                seen.put(field, values.stream().map(value -> seen(field, value)).toList()));
        seen.values().stream()
                .flatMap(Collection::stream)
                .filter(one -> one.value instanceof AddressRange)
                .forEach(one -> absentAddresses.remove((AddressRange) one.value));
        return ValuePools.of(seen, field -> field == ValueField.ID ? absentId() : ABSENT, absentAddresses);
    }

    private static Seen seen(ValueField field, CountedValue value) {
        boolean isAddress = field == ValueField.ADDRESS || field == ValueField.SOURCE || field == ValueField.TARGET;
        Seen seen = new Seen(
                isAddress ? AddressRange.parse(value.value()) : value.value(),
                value.beside().getOrDefault(ValueField.CATEGORY, ABSENT),
                value.beside().getOrDefault(ValueField.DETECTOR, ABSENT));
        seen.events = value.events();
        seen.port = Integer.parseInt(value.beside().getOrDefault(ValueField.PORT, "" + Seen.NO_PORT));
        seen.ownPort = seen.port;
        return seen;
    }

    /** Where ids are numbers, so that tables take no other, one that no counter has come to. */
    private String absentId() {
        List<CountedValue> ids = ranked.getOrDefault(ValueField.ID, List.of());
        boolean numbers =
                !ids.isEmpty() && ids.stream().allMatch(id -> id.value().matches("-?[0-9]{1,18}"));
        return numbers ? "-1" : ValuePoolsBuilder.NO_ID;
    }
}
