package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.run.answers.EventList;

@Tag("every-java")
final class EventGeneratorTest {

    /** A changed digest means that all stored data sets are other ones: loaded copies and old results do not fit. */
    @Test
    void theFirstThousandEventsOfSmokeNeverChange() throws Exception {
        EventGenerator smoke = new EventGenerator(ShippedDatasets.smoke());
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        IdeaWriter writer = new IdeaWriter();
        LongStream.range(0, 1_000).forEach(index -> digest.update(writer.toBytes(smoke.event(index))));

        assertThat(HexFormat.of().formatHex(digest.digest()))
                .isEqualTo("5a44867f65f6adeb2b251762b786e9954aa543e0d8023d6a9a8a9823156e33c3");
        assertThat(smoke.fingerprint()).isEqualTo("6772258f64628f42");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 100000", "2, 7", "16, 64", "1001, 10"})
    void anyNumberOfPartsAndAnyBatchGiveTheSameEvents(int parts, int batch) {
        EventGenerator generator = new EventGenerator(ShippedDatasets.small(1_000, 5));
        List<SecurityEvent> all =
                LongStream.range(0, 1_000).mapToObj(generator::event).toList();
        for (int part = 0; part < parts; part++) {
            List<SecurityEvent> expected = new ArrayList<>();
            for (int number = part; number < all.size(); number += parts) {
                expected.add(all.get(number));
            }
            for (EventSource source : List.of(generator, new EventList(all))) {
                List<SecurityEvent> read = new ArrayList<>();
                source.readPart(
                        batch,
                        part,
                        parts,
                        events -> {
                            assertThat(events).isNotEmpty().hasSizeLessThanOrEqualTo(batch);
                            return events;
                        },
                        read::addAll);
                assertThat(read).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 42, Long.MIN_VALUE})
    void eventsAreInTheirSpanAscendAndHaveIdsOfTheirOwn(long seed) {
        DatasetSpec spec = ShippedDatasets.small(5_000, seed);
        EventGenerator generator = new EventGenerator(spec);
        List<Instant> times = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        generator.read(
                500,
                batch -> batch.forEach(event -> {
                    times.add(event.detectTime());
                    ids.add(event.id());
                }));

        assertThat(times).isSortedAccordingTo(Instant::compareTo);
        assertThat(times.get(0)).isEqualTo(generator.first()).isAfterOrEqualTo(spec.start());
        assertThat(times.get(4_999))
                .isBefore(generator.until())
                .isBefore(spec.start().plus(spec.span()));
        assertThat(generator.until()).isBeforeOrEqualTo(times.get(4_999).plusSeconds(1));
        assertThat(ids).hasSize(5_000).allMatch(id -> id.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"));
        assertThat(new HashSet<>(times)).as("equal times must occur").hasSizeLessThan(5_000);
    }

    @Test
    void fedEventsHaveTheGivenTimeAndIdsThatDoNotOccur() {
        EventGenerator generator = new EventGenerator(ShippedDatasets.small(1_000, 1));
        FeedEvents feed = generator.feed();
        Instant time = Instant.parse("2030-01-01T00:00:00Z");
        Set<String> ids = new HashSet<>();
        LongStream.range(0, 1_000).forEach(index -> ids.add(generator.id(index)));

        LongStream.range(0, 1_000).forEach(number -> {
            assertThat(feed.event(number, time).detectTime()).isEqualTo(time);
            assertThat(feed.event(number, time).id()).isEqualTo(feed.id(number));
            assertThat(ids.add(feed.id(number))).isTrue();
        });
    }
}
