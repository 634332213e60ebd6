package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.dataset.ValuePools.Value;
import siemload.event.AddressRange;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;
import siemload.query.ValueField;

final class ValuePoolsTest {
    private static final int DRAWS = 20;
    private static final List<SecurityEvent> EVENTS = new ArrayList<>();
    private static ValuePools pools;

    @BeforeAll
    static void countSomeEvents() {
        new EventGenerator(ShippedDatasets.small(20_000, 1)).read(1_000, EVENTS::addAll);
        pools = build();
    }

    @ParameterizedTest
    @EnumSource(names = {"HOT", "TYPICAL", "RARE"})
    void drawnAddressesOccurWithTheirCategoryAndDetector(Popularity popularity) {
        draw(1, random -> {
            Value value = pools.of(ValueField.ADDRESS).draw(popularity, random);
            assertThat(count(event -> figures(event, value.range())
                            && event.categories().contains(value.category())
                            && saw(event, value.detector())))
                    .as("%s", value)
                    .isPositive();
        });
    }

    @Test
    void anAddressIsAsPopularOnASideAsItOccursThere() {
        ValuePools.Builder builder = new ValuePools.Builder();
        IdeaReader reader = new IdeaReader();
        for (int i = 0; i < 5; i++) {
            String source = i == 0 ? "192.0.2.1" : "192.0.2.2";
            String target = i == 0 ? "192.0.2.2" : "192.0.2.1";
            builder.add(List.of(reader.read("{\"ID\":\"" + i + "\",\"DetectTime\":\"2016-06-06T12:00:00Z\","
                    + "\"Source\":[{\"IP4\":[\"" + source + "\"],\"Port\":[" + (i == 0 ? 1 : 2) + "]}],"
                    + "\"Target\":[{\"IP4\":[\"" + target + "\"],\"Port\":[3]}]}")));
        }
        ValuePools few = builder.build();

        assertThat(few.of(ValueField.SOURCE).hot()).containsExactly(Value.of("192.0.2.2"));
        assertThat(few.of(ValueField.SOURCE).rare()).containsExactly(Value.of("192.0.2.1"));
        assertThat(few.of(ValueField.TARGET).hot()).containsExactly(Value.of("192.0.2.1"));
        assertThat(few.of(ValueField.SOURCE_PORT).hot()).containsExactly(Value.of("2"));
        assertThat(few.of(ValueField.TARGET_PORT).hot()).containsExactly(Value.of("3"));
    }

    @Test
    void absentValuesDoNotOccur() {
        draw(3, random -> {
            AddressRange address = absent(ValueField.ADDRESS, random).range();
            AddressRange range = pools.ranges().draw(Popularity.ABSENT, random).range();
            String category = absent(ValueField.CATEGORY, random).text();
            String detector = absent(ValueField.DETECTOR, random).text();
            String id = absent(ValueField.ID, random).text();
            assertThat(count(event -> figures(event, address)
                            || figures(event, range)
                            || event.categories().contains(category)
                            || saw(event, detector)
                            || event.id().equals(id)))
                    .isZero();
        });
    }

    @Test
    void theSameEventsGiveTheSameValuesAndTextGivesThemBack() {
        String text = pools.toJson();

        assertThat(build().toJson()).isEqualTo(text);
        assertThat(ValuePools.fromJson(text).toJson()).isEqualTo(text);
    }

    @Test
    void aDamagedFileOfValuesIsRefused() {
        String whole = pools.toJson();
        for (String damaged : List.of(
                "{\"formatVersion\":1",
                "null",
                "{\"formatVersion\":" + ValuePools.FORMAT_VERSION + "}",
                whole.replaceFirst("\"hot\":\\[[^]]*]", "\"hot\":[]"),
                whole.replaceFirst("\"hot\":", "\"hottest\":"))) {
            assertThatThrownBy(() -> ValuePools.fromJson(damaged)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static Value absent(ValueField field, SeededRandom random) {
        return pools.of(field).draw(Popularity.ABSENT, random);
    }

    private static void draw(long seed, Consumer<SeededRandom> check) {
        SeededRandom random = new SeededRandom(seed);
        for (int i = 0; i < DRAWS; i++) {
            check.accept(random);
        }
    }

    private static ValuePools build() {
        ValuePools.Builder builder = new ValuePools.Builder();
        builder.add(EVENTS);
        return builder.build();
    }

    private static long count(Predicate<SecurityEvent> condition) {
        return EVENTS.stream().filter(condition).count();
    }

    private static boolean saw(SecurityEvent event, String detector) {
        return event.nodes().stream().anyMatch(node -> node.name().equals(detector));
    }

    private static boolean figures(SecurityEvent event, AddressRange range) {
        return event.endpoints().anyMatch(one -> one.addresses().stream().anyMatch(range::overlaps));
    }

    /** The sixteenth part is left after halving four times. */
    @Test
    void ofTooManyAFairShareIsCountedInFull() {
        FairSample<Long, int[]> seen = new FairSample<>(1_000, number -> SeededRandom.mix(number, 1));
        for (int round = 0; round < 3; round++) {
            LongStream.range(0, 12_000).forEach(number -> seen.note(number, unused -> new int[1], count -> count[0]++));
        }

        assertThat(seen.values()).hasSizeBetween(650, 850);
        assertThat(seen.values().values()).allMatch(count -> count[0] == 3);
        assertThat(seen.values().keySet()).filteredOn(number -> number < 6_000).hasSizeBetween(300, 450);
    }
}
