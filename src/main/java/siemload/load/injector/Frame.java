package siemload.load.injector;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.database.ServerAddress;
import siemload.measure.ClockOffset;
import siemload.measure.LatencyRecorder.RecordedSearches;
import siemload.measure.VisibilityRecorder.Seen;
import siemload.results.BrokenFileException;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.InjectorResult;
import siemload.results.LoggedInterval;
import siemload.run.LoadOutcome;
import siemload.run.LoadRun.Shard;
import siemload.run.RunPlan;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;

/**
 * What an injector and its coordinator say to each other, each frame a line of JSON in UTF-8, in this order: {@link Part}, {@link
 * Ready}, {@link Start}, {@link Agreed}, {@link Second} after second, {@link Ended}, {@link Fed} some at a time, {@link Check}, {@link Checked};
 * a {@link Heartbeat} at any time. An instant is nanoseconds since 1970 by the server's clock. Immutable.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "frame")
sealed interface Frame {

    /**
     * To an injector, as its first one: what it is to do. Its text shows no secret.
     *
     * @param version of siemload, which must be the injector's own
     * @param settings that were given, by the names of properties
     * @param store the name by which the store of the run is joined
     */
    record Part(String version, Map<String, String> settings, Shard shard, ServerAddress server, String store)
            implements Frame {
        /** Means nothing elsewhere, or belongs to the coordinator alone. */
        private static final List<String> KEPT_BACK =
                List.of(Property.RESULTS.name(), Property.LIVE.name(), Property.RELOAD.name(), Property.VIA.name());

        public Part {
            settings = Map.copyOf(settings);
        }

        /** The part of one injector of a run; of the settings those that were given, from which the others follow there as here. */
        static Part of(String version, RunPlan plan, int shard, ServerAddress server, String store) {
            Settings settings = plan.settings();
            boolean elsewhere = settings.find(Property.VIA).isPresent();
            Map<String, String> given = settings.list().stream()
                    .filter(Setting::wasGiven)
                    .filter(setting -> !KEPT_BACK.contains(setting.name())
                            && !(elsewhere && setting.name().equals(Property.CACHE.name())))
                    .collect(Collectors.toMap(Setting::name, setting -> value(setting, settings)));
            return new Part(version, given, new Shard(shard, plan.injectors()), server, store);
        }

        /** Urls name their servers in full: what one leaves open stands in the environment here. */
        private static String value(Setting setting, Settings settings) {
            if (setting.name().equals(Property.URL.name())) {
                return settings.value(Property.URL);
            }
            return setting.name().equals(Property.READ_URLS.name())
                    ? String.join(" ", settings.value(Property.READ_URLS))
                    : setting.value();
        }

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
    record Second(double second, RecordedSearches measured, List<FeedLedger.Entry> entries) implements Frame {
        public Second {
            entries = List.copyOf(entries);
        }
    }

    /**
     * From an injector: its load is over, and what it has to say beside what it told second by second.
     *
     * @param endSecond when, in seconds from the start of the measured phase
     * @param clock how its clock went with the server's during the whole load
     * @param cpuNanos what its process used in the measured phase
     * @param result for people; its shares of the whole are not known yet, and are 0
     * @param visibility how long events took to be found that it fed
     * @param stored what became of its events, where it has a store of its own; empty, or one
     */
    record Ended(
            LoadOutcome.Ending ending,
            double endSecond,
            ClockOffset clock,
            long cpuNanos,
            InjectorResult result,
            List<Seen> visibility,
            List<StoredEvents> stored)
            implements Frame {
        public Ended {
            visibility = List.copyOf(visibility);
            stored = List.copyOf(stored);
        }
    }

    /**
     * To an injector: what became of batches that it or others fed, some at a time; of its own it knows better.
     *
     * @param entries at the earliest instant at which each was sent, and the latest at which it was acknowledged, since the clock of who
     *     fed it is known to some microseconds only
     */
    record Fed(List<FeedLedger.Entry> entries) implements Frame {
        public Fed {
            entries = List.copyOf(entries);
        }
    }

    /** To an injector: it has heard of all batches, and is to check its answers. */
    record Check() implements Frame {}

    /** From an injector: how they were. Wrong answers have instants since the start of the load. */
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

    /** Writes the frame, at once. @throws IOException if nobody reads it */
    default void write(OutputStream stream) throws IOException {
        stream.write(line());
        stream.flush();
    }

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
            String shown = line.substring(0, Math.min(Lines.SHOWN, line.length()));
            throw new BrokenFileException("what it said is no frame: " + shown.replaceAll("\\p{Cntrl}", "?"), broken);
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
                        .addSerializer(Histogram.class, new HistogramWriter())
                        .addDeserializer(Histogram.class, new HistogramReader()))
                .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE)
                .registerSubtypes(Stream.of(
                                Objects.requireNonNull(Frame.class.getPermittedSubclasses(), "it is sealed"))
                        .map(kind -> new NamedType(kind, kind.getSimpleName().toLowerCase(Locale.ROOT)))
                        .toArray(NamedType[]::new))
                .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .build();

        private Lines() {}

        private static final class HistogramWriter extends JsonSerializer<Histogram> {
            @Override
            public void serialize(Histogram times, JsonGenerator json, SerializerProvider unused) throws IOException {
                json.writeStartArray();
                for (HistogramIterationValue value : times.recordedValues()) {
                    json.writeNumber(value.getValueIteratedTo());
                    json.writeNumber(value.getCountAddedInThisIterationStep());
                }
                json.writeEndArray();
            }
        }

        private static final class HistogramReader extends JsonDeserializer<Histogram> {
            @Override
            public Histogram deserialize(JsonParser json, DeserializationContext unused) throws IOException {
                Histogram times = new Histogram(SIGNIFICANT_DIGITS);
                long[] pairs = json.readValueAs(long[].class);
                for (int i = pairs.length - 2; i >= 0; i -= 2) {
                    LoggedInterval.requirePossible(pairs[i], pairs[i + 1]);
                    times.recordValueWithCount(pairs[i], pairs[i + 1]);
                }
                return times;
            }
        }
    }
}
