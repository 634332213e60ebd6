package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.query.CountedValue;
import siemload.query.ValueField;

final class ExistingValuesTest {

    /** Of 200 values the first two are hot, ranks 20 to 99 typical, and the last 20 rare. */
    @Test
    void theClassesAreRangesOfRanks() {
        List<CountedValue> categories = new ArrayList<>();
        for (int rank = 0; rank < 200; rank++) {
            categories.add(value("c" + rank, 1_000 - rank));
        }
        Collections.reverse(categories);

        ValuePools.Pool pool = pools(Map.of(ValueField.CATEGORY, categories)).of(ValueField.CATEGORY);

        assertThat(texts(pool.hot())).containsExactly("c0", "c1");
        assertThat(texts(pool.typical())).hasSize(80).startsWith("c20").endsWith("c99");
        assertThat(texts(pool.rare())).hasSize(20).startsWith("c180").endsWith("c199");
        assertThat(texts(pool.absent())).containsExactly("Absent.Category");
    }

    @Test
    void equalCountsHaveTheOrderOfTheirValuesAndOneThatComesTwiceIsSummedUp() {
        ValuePools.Pool pool = pools(Map.of(
                        ValueField.PORT, List.of(value("443", 2), value("22", 3), value("80", 2), value("443", 1))))
                .of(ValueField.PORT);
        assertThat(texts(pool.hot())).containsExactly("22");
        assertThat(texts(pool.rare())).containsExactly("80");
        assertThat(texts(pool.absent())).contains("65535").doesNotContain("22", "80", "443");
    }

    @Test
    void whatOccursTogetherComesWithAnAddress() {
        ValuePools pools = pools(Map.of(
                ValueField.ADDRESS,
                List.of(
                        new CountedValue(
                                "192.0.2.7",
                                5,
                                Map.of(
                                        ValueField.CATEGORY,
                                        "Attempt",
                                        ValueField.DETECTOR,
                                        "probe",
                                        ValueField.PORT,
                                        "22")),
                        value("192.0.2.200", 1),
                        value("2001:db8::1", 4))));

        assertThat(pools.of(ValueField.ADDRESS).hot())
                .containsExactly(new ValuePools.Value("192.0.2.7", "Attempt", "probe", 22));
        assertThat(pools.services().hot()).hasSize(1);
        assertThat(pools.ranges().hot()).containsExactly(new ValuePools.Value("192.0.2.0/24", "Attempt", "", 0));
        assertThat(texts(pools.of(ValueField.ADDRESS).rare())).containsExactly("192.0.2.200");
    }

    @Test
    void anAddressThatOccursIsNotAbsent() {
        String absent = absent(Map.of(), ValueField.ADDRESS).get(0);

        ValuePools.Pool sources =
                pools(Map.of(ValueField.SOURCE, List.of(value(absent, 1)))).of(ValueField.SOURCE);

        assertThat(texts(sources.hot())).containsExactly(absent);
        assertThat(texts(sources.absent())).isNotEmpty().doesNotContain(absent);
    }

    @Test
    void idsThatAreNumbersHaveANumberThatIsNone() {
        assertThat(absent(Map.of(ValueField.ID, List.of(value("17", 1), value("4", 1))), ValueField.ID))
                .containsExactly("-1");
        assertThat(absent(Map.of(ValueField.ID, List.of(value("17", 1), value("x", 1))), ValueField.ID))
                .containsExactly("00000000-0000-0000-0000-000000000000");
    }

    private static ValuePools pools(Map<ValueField, List<CountedValue>> values) {
        return ValuePools.ofExisting(values);
    }

    private static List<String> absent(Map<ValueField, List<CountedValue>> values, ValueField field) {
        return texts(pools(values).of(field).absent());
    }

    private static List<String> texts(List<ValuePools.Value> values) {
        return values.stream().map(ValuePools.Value::text).toList();
    }

    private static CountedValue value(String value, long events) {
        return new CountedValue(value, events, Map.of());
    }
}
