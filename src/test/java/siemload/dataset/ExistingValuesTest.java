package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.event.AddressRange;
import siemload.query.CountedValue;
import siemload.query.ValueField;
import siemload.query.ValueField.Beside;

/** Values that queries gave are cut into classes by the ranks of their counts, whatever order they came in. */
final class ExistingValuesTest {

    /** Of 200 values the first two are hot, ranks 20 to 99 typical, and the last 20 rare. */
    @Test
    void theClassesAreRangesOfRanks() {
        List<CountedValue> categories = new ArrayList<>();
        for (int rank = 0; rank < 200; rank++) {
            categories.add(value("c" + rank, 1_000 - rank));
        }
        Collections.reverse(categories);

        ValuePools.Pool<String> pool = new ExistingValues(Map.of(ValueField.CATEGORY, categories))
                .pools()
                .categories();

        assertThat(pool.hot()).containsExactly("c0", "c1");
        assertThat(pool.typical()).hasSize(80).startsWith("c20").endsWith("c99");
        assertThat(pool.rare()).hasSize(20).startsWith("c180").endsWith("c199");
        assertThat(pool.absent()).containsExactly("absent.of.existing.data");
    }

    @Test
    void equalCountsHaveTheOrderOfTheirValuesAndOneThatComesTwiceIsSummedUp() {
        ValuePools.Pool<Integer> pool = new ExistingValues(Map.of(
                        ValueField.PORT, List.of(value("443", 2), value("22", 3), value("80", 2), value("443", 1))))
                .pools()
                .ports();
        assertThat(pool.hot()).containsExactly(22);
        assertThat(pool.rare()).containsExactly(80);
        assertThat(pool.absent()).contains(65_535).doesNotContain(22, 80, 443);
    }

    @Test
    void whatOccursTogetherComesWithAnAddress() {
        ExistingValues values = new ExistingValues(Map.of(
                ValueField.ADDRESS,
                List.of(
                        new CountedValue(
                                "192.0.2.7",
                                5,
                                Map.of(Beside.CATEGORY, "Attempt", Beside.DETECTOR, "probe", Beside.PORT, "22")),
                        value("192.0.2.200", 1),
                        value("2001:db8::1", 4))));
        ValuePools pools = values.pools();

        ValuePools.AddressValue hot = pools.addresses().hot().get(0);
        assertThat(hot.address()).isEqualTo(AddressRange.parse("192.0.2.7"));
        assertThat(hot.category()).isEqualTo("Attempt");
        assertThat(hot.detector()).isEqualTo("probe");
        assertThat(hot.port()).isEqualTo(22);
        assertThat(pools.services().hot()).hasSize(1);
        assertThat(pools.ranges().hot())
                .containsExactly(new ValuePools.RangeValue(AddressRange.parse("192.0.2.0/24"), "Attempt"));
        assertThat(pools.addresses().rare().get(0).address()).isEqualTo(AddressRange.parse("192.0.2.200"));
        assertThat(values.has(ValueField.ADDRESS, Beside.PORT)).isTrue();
        assertThat(values.has(ValueField.CATEGORY)).isFalse();
    }

    @Test
    void anAddressThatOccursIsNotAbsent() {
        AddressRange absent =
                new ExistingValues(Map.of()).pools().addresses().absent().get(0).address();
        ExistingValues values = new ExistingValues(
                Map.of(ValueField.SOURCE, List.of(value(absent.first().toString(), 1))));
        assertThat(values.pools().sides().source().addresses().hot()).containsExactly(absent);
        assertThat(values.pools().sides().source().addresses().absent())
                .isNotEmpty()
                .doesNotContain(absent);
    }

    @Test
    void idsThatAreNumbersHaveANumberThatIsNone() {
        assertThat(new ExistingValues(Map.of(ValueField.ID, List.of(value("17", 1), value("4", 1))))
                        .pools()
                        .ids()
                        .absent())
                .isEqualTo("-1");
        assertThat(new ExistingValues(Map.of(ValueField.ID, List.of(value("17", 1), value("x", 1))))
                        .pools()
                        .ids()
                        .absent())
                .hasSize(36);
    }

    private static CountedValue value(String value, long events) {
        return new CountedValue(value, events, Map.of());
    }
}
