package siemload.dataset;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import siemload.dataset.ValuePools.AddressValue;
import siemload.dataset.ValuePools.DetectorValue;
import siemload.dataset.ValuePools.Pool;
import siemload.dataset.ValuePools.RangeValue;
import siemload.dataset.ValuePools.ServiceValue;
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
    private static final int MOST_PORT = 65_535;
    private static final long LAST_BYTE = 0xFFL;

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
        int anyPort = ports(ValueField.PORT).stream().findFirst().orElse(0);
        String absentCategory = absent(ValueField.CATEGORY);
        String absentDetector = absent(ValueField.DETECTOR);
        return new ValuePools(
                ValuePools.FORMAT_VERSION,
                pool(
                        ValueField.ADDRESS,
                        value -> new AddressValue(
                                AddressRange.parse(value.value()),
                                value.beside().getOrDefault(Beside.CATEGORY, absentCategory),
                                value.beside().getOrDefault(Beside.DETECTOR, absentDetector),
                                port(value).orElse(anyPort)),
                        absent(address -> new AddressValue(address, absentCategory, absentDetector, anyPort))),
                Pool.ofRanked(services(), absent(address -> new ServiceValue(address, anyPort))),
                Pool.ofRanked(
                        ranges(absentCategory), absent(address -> new RangeValue(around(address), absentCategory))),
                pool(ValueField.CATEGORY, CountedValue::value, List.of(absentCategory)),
                pool(
                        ValueField.DETECTOR,
                        value -> new DetectorValue(
                                value.value(), value.beside().getOrDefault(Beside.CATEGORY, absentCategory)),
                        List.of(new DetectorValue(absentDetector, absentCategory))),
                portPool(ValueField.PORT),
                new ValuePools.SidePools(
                        side(ValueField.SOURCE, ValueField.SOURCE_PORT),
                        side(ValueField.TARGET, ValueField.TARGET_PORT)),
                new ValuePools.TextPools(
                        pool(ValueField.TEXT, CountedValue::value, List.of(absent(ValueField.TEXT))),
                        pool(ValueField.DESCRIPTION, CountedValue::value, List.of(absent(ValueField.DESCRIPTION)))),
                new ValuePools.EventIds(
                        of(ValueField.ID).stream()
                                .map(CountedValue::value)
                                .limit(ValuePools.MOST_CANDIDATES)
                                .toList(),
                        absentId()));
    }

    private <T> Pool<T> pool(ValueField field, Function<CountedValue, T> made, List<T> absent) {
        return Pool.ofRanked(of(field).stream().map(made).toList(), absent);
    }

    private <T> List<T> absent(Function<AddressRange, T> made) {
        return absentAddresses.stream().map(made).toList();
    }

    /** A text that is none of the values; the queries may not have given all that there are. */
    private String absent(ValueField field) {
        Set<String> known = new HashSet<>();
        of(field).forEach(value -> known.add(value.value()));
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
                pool(addresses, value -> AddressRange.parse(value.value()), absentAddresses), portPool(ports));
    }

    private List<Integer> ports(ValueField field) {
        return of(field).stream().map(value -> Integer.valueOf(value.value())).toList();
    }

    private Pool<Integer> portPool(ValueField field) {
        Set<Integer> used = new HashSet<>(ports(field));
        List<Integer> absent = new ArrayList<>();
        for (int port = MOST_PORT; port >= 0 && absent.size() < ValuePools.MOST_CANDIDATES; port--) {
            if (!used.contains(port)) {
                absent.add(port);
            }
        }
        return Pool.ofRanked(ports(field), absent.isEmpty() ? List.of(0) : absent);
    }

    private static Optional<Integer> port(CountedValue value) {
        return Optional.ofNullable(value.beside().get(Beside.PORT)).map(Integer::valueOf);
    }

    private List<ServiceValue> services() {
        return of(ValueField.ADDRESS).stream()
                .filter(value -> value.beside().containsKey(Beside.PORT))
                .map(value -> new ServiceValue(
                        AddressRange.parse(value.value()), port(value).orElseThrow()))
                .toList();
    }

    /** The surroundings of IPv4 addresses, by the events of all addresses in them; that of the most frequent one says the category. */
    private List<RangeValue> ranges(String absentCategory) {
        Map<AddressRange, Long> events = new LinkedHashMap<>();
        Map<AddressRange, String> category = new HashMap<>();
        for (CountedValue value : of(ValueField.ADDRESS)) {
            AddressRange address = AddressRange.parse(value.value());
            if (address.family() == AddressRange.Family.IP4) {
                events.merge(around(address), value.events(), Long::sum);
                category.putIfAbsent(around(address), value.beside().getOrDefault(Beside.CATEGORY, absentCategory));
            }
        }
        return events.entrySet().stream()
                .sorted(Map.Entry.<AddressRange, Long>comparingByValue().reversed())
                .map(entry -> new RangeValue(entry.getKey(), category.getOrDefault(entry.getKey(), absentCategory)))
                .toList();
    }

    private static AddressRange around(AddressRange address) {
        return AddressRange.ip4(address.firstLow() & ~LAST_BYTE, address.firstLow() | LAST_BYTE);
    }
}
