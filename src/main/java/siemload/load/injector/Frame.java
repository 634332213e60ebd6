package siemload.load.injector;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdDelegatingDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.HdrHistogram.Histogram;
import siemload.database.ServerAddress;
import siemload.measure.ClockOffset;
import siemload.measure.LatencyRecorder.RecordedSearches;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.LoggedInterval;
import siemload.results.ResultText.BrokenFileException;
import siemload.results.RunResult.InjectorResult;
import siemload.run.LoadOutcome;
import siemload.run.LoadRun.Shard;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;

/**
 * What an injector and its coordinator say to each other, each frame a line of JSON in UTF-8, in this order: {@link Part}, {@link
 * Ready}, {@link Start}, {@link Agreed}, {@link Second} after second, {@link Ended}, {@link Check} once or more, {@link Checked}; a {@link
 * Heartbeat} at any time. An instant is nanoseconds since 1970 by the server's clock. Immutable.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "frame")
sealed interface Frame {

    /**
     * To an injector, as its first one: what it is to do. Its text shows no secret.
     *
     * @param version of siemload, which must be the injector's own
     * @param settings that were given, by the names of properties, from which the others follow there as here
     * @param store the name by which the store of the run is joined
     */
    record Part(String version, Map<String, String> settings, Shard shard, ServerAddress server, String store)
            implements Frame {
        @Override
        public String toString() {
            return "Part[" + shard + "]";
        }
    }

    /** From an injector: it can begin, and this is how its clock goes with the server's. */
    record Ready(ClockOffset clock) implements Frame {}

    /** To an injector: when to begin. */
    record Start(long serverNanos) implements Frame {}

    /** From an injector: it has heard when to begin, and is in time. */
    record Agreed() implements Frame {}

    /**
     * From an injector: what it measured in one second.
     *
     * @param second when that ended, in seconds from the start of the measured phase, negative before it
     * @param entries what became of its batches, at instants of the server's clock
     */
    record Second(double second, RecordedSearches measured, List<FeedLedger.Entry> entries) implements Frame {}

    /**
     * From an injector: its load is over, and what it has to say beside what it told second by second.
     *
     * @param endSecond when, in seconds from the start of the measured phase
     * @param clock how its clock went with the server's during the whole load
     * @param cpuNanos what its process used in the measured phase
     * @param result for people; its shares of the whole are not known yet, and are 0
     * @param stored what became of its events, where it has a store of its own; empty, or one
     */
    record Ended(
            LoadOutcome.Ending ending,
            double endSecond,
            ClockOffset clock,
            long cpuNanos,
            InjectorResult result,
            List<StoredEvents> stored)
            implements Frame {}

    /**
     * To an injector: what became of batches that it or others fed, some at a time, for it to check its answers; of its own it knows better.
     *
     * @param entries at the earliest instant at which each was sent, and the latest at which it was acknowledged, since the clock of who
     *     fed it is known to some microseconds only
     * @param last whether it has heard of all batches now
     */
    record Check(List<FeedLedger.Entry> entries, boolean last) implements Frame {}

    /** From an injector: how its answers were. Wrong answers have instants since the start of the load. */
    record Checked(CheckedAnswers answers) implements Frame {}

    /** To an injector: it is to end now, and hand over what it has. */
    record Stop() implements Frame {}

    /**
     * From an injector: it cannot go on.
     *
     * @param code with which its process ends
     */
    record Failed(String message, int code) implements Frame {}

    /** From either, every second: it lives. */
    record Heartbeat() implements Frame {}

    /** The line of the frame, with the line break. */
    default byte[] line() {
        try {
            return (Lines.JSON.writerFor(Frame.class).writeValueAsString(this) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException bug) {
            throw new IllegalStateException("a frame has no text", bug);
        }
    }

    /**
     * The next frame; empty at the end of the stream.
     *
     * @throws BrokenFileException if what comes is none, with how it begins
     * @throws IOException if the stream breaks
     */
    static Optional<Frame> read(BufferedReader stream) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = stream.read();
        while (next >= 0 && next != '\n' && line.length() <= Lines.LONGEST) {
            line.append((char) next);
            next = stream.read();
        }
        if (next < 0 && line.isEmpty()) {
            return Optional.empty();
        }
        try {
            if (next != '\n') {
                throw new IllegalArgumentException("not a whole line of at most " + Lines.LONGEST + " characters");
            }
            return Optional.of(Objects.requireNonNull(Lines.JSON.readValue(line.toString(), Frame.class)));
        } catch (JsonProcessingException | RuntimeException broken) {
            // Which shows no command for a terminal.
            String shown = line.substring(0, Math.min(Lines.SHOWN, line.length()));
            throw new BrokenFileException("what it said is not a frame: " + shown, broken);
        }
    }

    /**
     * How frames become lines. A histogram is a list of its values in microseconds, each with its count behind it: a second has few
     * times of each kind, and all values between two that the histogram tells apart are one, so that this is exact.
     */
    final class Lines {
        /** More than any frame has: histograms of some dozen kinds of search, or ten thousand batches. */
        private static final int LONGEST = 64 << 20;

        private static final int SHOWN = 80;
        private static final int SIGNIFICANT_DIGITS = 3;
        private static final ObjectMapper JSON = JsonMapper.builder()
                .addModule(new SimpleModule()
                        .addSerializer(
                                new StdDelegatingSerializer(Histogram.class, new StdConverter<Histogram, long[]>() {
                                    @Override
                                    public long[] convert(Histogram times) {
                                        return pairs(times);
                                    }
                                }))
                        .addDeserializer(
                                Histogram.class, new StdDelegatingDeserializer<>(new StdConverter<long[], Histogram>() {
                                    @Override
                                    public Histogram convert(long[] pairs) {
                                        return histogram(pairs);
                                    }
                                })))
                .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE)
                .registerSubtypes(Stream.of(
                                Objects.requireNonNull(Frame.class.getPermittedSubclasses(), "it is sealed"))
                        .map(kind -> new NamedType(kind, kind.getSimpleName().toLowerCase(Locale.ROOT)))
                        .toArray(NamedType[]::new))
                .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .build();

        private Lines() {}

        private static long[] pairs(Histogram times) {
            return StreamSupport.stream(times.recordedValues().spliterator(), false)
                    .flatMapToLong(value ->
                            LongStream.of(value.getValueIteratedTo(), value.getCountAddedInThisIterationStep()))
                    .toArray();
        }

        private static Histogram histogram(long[] pairs) {
            Histogram times = new Histogram(SIGNIFICANT_DIGITS);
            for (int i = pairs.length - 2; i >= 0; i -= 2) {
                LoggedInterval.requirePossible(pairs[i], pairs[i + 1]);
                times.recordValueWithCount(pairs[i], pairs[i + 1]);
            }
            return times;
        }
    }
}
