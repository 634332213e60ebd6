package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.event.IdeaReader;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.run.answers.EventList;

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
    @CsvSource({"1, 1", "1, 999", "2, 7", "3, 64", "4, 100000"})
    void anyNumberOfThreadsAndAnyBatchGiveTheSameEvents(int threads, int batch) {
        EventGenerator generator = new EventGenerator(ShippedDatasets.small(1_000, 5), threads);
        List<SecurityEvent> read = new ArrayList<>();

        generator.read(batch, events -> {
            assertThat(events).hasSizeLessThanOrEqualTo(batch);
            read.addAll(events);
        });

        assertThat(read)
                .isEqualTo(LongStream.range(0, 1_000).mapToObj(generator::event).toList());
    }

    @ParameterizedTest
    @CsvSource({"1, 7", "2, 64", "3, 100", "16, 5", "1001, 10"})
    void partsHaveTheEventsOfTheirNumbersInTheirOrder(int parts, int batch) {
        EventGenerator generator = new EventGenerator(ShippedDatasets.small(1_000, 5), 2);
        EventSource plain = new EventList(
                LongStream.range(0, 1_000).mapToObj(generator::event).toList());
        long all = 0;
        for (int part = 0; part < parts; part++) {
            List<SecurityEvent> read = new ArrayList<>();
            List<SecurityEvent> filtered = new ArrayList<>();
            int number = part;

            generator.readPart(
                    batch,
                    part,
                    parts,
                    events -> {
                        assertThat(events).isNotEmpty().hasSizeLessThanOrEqualTo(batch);
                        return events;
                    },
                    read::addAll);
            plain.readPart(batch, part, parts, events -> events, filtered::addAll);

            assertThat(read)
                    .isEqualTo(LongStream.range(0, 1_000)
                            .filter(index -> index % parts == number)
                            .mapToObj(generator::event)
                            .toList())
                    .isEqualTo(filtered);
            all += read.size();
        }
        assertThat(all).isEqualTo(1_000);
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

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void generatedEventsSurviveARoundTripWithoutWarnings(long seed) {
        EventGenerator generator = new EventGenerator(ShippedDatasets.small(2_000, seed));
        IdeaWriter writer = new IdeaWriter();
        generator.read(
                100,
                batch -> batch.forEach(event -> {
                    assertThat(new IdeaReader().read(writer.toBytes(event))).hasToString(event.toString());
                    assertThat(new IdeaReader().lacks(event)).isEmpty();
                }));
    }

    @Test
    void anotherSeedGivesOtherEventsAndAnotherFingerprint() {
        EventGenerator one = new EventGenerator(ShippedDatasets.small(100, 1));
        EventGenerator other = new EventGenerator(ShippedDatasets.small(100, 2));

        assertThat(one.fingerprint())
                .matches("[0-9a-f]{16}")
                .isEqualTo(new EventGenerator(ShippedDatasets.small(100, 1)).fingerprint())
                .isNotEqualTo(other.fingerprint());
        assertThat(one.event(7)).isNotEqualTo(other.event(7));
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

    @Test
    void anInterruptedReaderStopsAndStaysInterrupted() {
        EventGenerator generator = new EventGenerator(ShippedDatasets.small(10_000, 1));
        try {
            assertThatThrownBy(() ->
                            generator.read(10, batch -> Thread.currentThread().interrupt()))
                    .isInstanceOf(CancellationException.class);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void theHoursFollowTheDayCurve() {
        DatasetSpec spec = ShippedDatasets.small(24_000, 1);
        List<Integer> curve = spec.profile().dayCurve();
        int[] hours = new int[24];
        new EventGenerator(spec)
                .read(
                        1_000,
                        batch -> batch.forEach(event -> hours[
                                (int) Duration.between(spec.start(), event.detectTime())
                                        .toHours()]++));

        double sum = curve.stream().mapToInt(Integer::intValue).sum();
        for (int hour = 0; hour < 24; hour++) {
            assertThat((double) hours[hour])
                    .isBetween(24_000 * curve.get(hour) / sum - 2, 24_000 * curve.get(hour) / sum + 2);
        }
    }

    @Test
    void hoursOfWeightZeroHaveNoEvents() {
        DatasetSpec small = ShippedDatasets.small(2_000, 1);
        EventProfile profile = small.profile();
        List<Integer> curve = new ArrayList<>(Collections.nCopies(24, 0));
        curve.set(5, 1);
        curve.set(20, 3);
        EventProfile gaps = new EventProfile(
                curve,
                profile.ip6Ratio(),
                profile.times(),
                profile.categories(),
                profile.detectors(),
                profile.sources(),
                profile.targets(),
                profile.targetKinds(),
                profile.ports(),
                profile.details());
        int[] hours = new int[24];
        new EventGenerator(new DatasetSpec("gaps", "", 2_000, small.start(), small.span(), 1, gaps, Map.of()))
                .read(
                        1_000,
                        batch -> batch.forEach(event -> hours[
                                (int) Duration.between(small.start(), event.detectTime())
                                        .toHours()]++));

        assertThat(hours[5]).isEqualTo(500);
        assertThat(hours[20]).isEqualTo(1_500);
    }

    @ParameterizedTest
    @MethodSource("shippedFiles")
    void everyShippedDataSetCanBeReadAndGenerated(Path file) {
        EventGenerator generator = new EventGenerator(DatasetReader.read(file));

        assertThat(generator.event(generator.count() - 1).detectTime()).isBefore(generator.until());
        assertThat(generator.first()).isBetween(Instant.parse("2016-06-06T00:00:00Z"), generator.until());
    }

    static List<Path> shippedFiles() {
        try (Stream<Path> files = Files.list(ShippedDatasets.DIRECTORY)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
