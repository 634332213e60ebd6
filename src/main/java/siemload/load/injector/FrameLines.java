package siemload.load.injector;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
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
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import siemload.results.BrokenFileException;
import siemload.results.LoggedInterval;

/** Frames as lines of JSON. Stateless. */
final class FrameLines {
    /** More than any frame has: histograms of some dozen kinds of search, or ten thousand batches. */
    private static final int LONGEST = 64 << 20;

    private static final int SHOWN = 80;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(Histogram.class, new HistogramWriter())
                    .addDeserializer(Histogram.class, new HistogramReader())
                    .addSerializer(FedEntries.class, new EntriesWriter())
                    .addDeserializer(FedEntries.class, new EntriesReader()))
            .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    private FrameLines() {}

    /** Writes a frame, at once. @throws IOException if nobody reads it */
    static void write(OutputStream stream, Frame frame) throws IOException {
        stream.write(line(frame));
        stream.flush();
    }

    /** The line of a frame, with the line break. */
    static byte[] line(Frame frame) {
        try {
            return (JSON.writerFor(Frame.class).writeValueAsString(frame) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException bug) {
            throw new IllegalStateException("a frame has no text", bug);
        }
    }

    /**
     * The next frame; empty at the end of the stream.
     *
     * @param stream that is buffered
     * @throws BrokenFileException if what comes is none, with how it begins
     * @throws IOException if the stream breaks
     */
    static Optional<Frame> read(InputStream stream) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = stream.read(); next != '\n'; next = stream.read()) {
            if (next < 0) {
                if (line.size() > 0) {
                    throw new BrokenFileException("it ended amidst a frame: " + shown(line));
                }
                return Optional.empty();
            }
            line.write(next);
            if (line.size() > LONGEST) {
                throw new BrokenFileException("a frame of more than " + (LONGEST >> 20) + " MB: " + shown(line));
            }
        }
        try {
            return Optional.of(Objects.requireNonNull(JSON.readValue(line.toByteArray(), Frame.class)));
        } catch (JsonProcessingException | IllegalArgumentException | NullPointerException broken) {
            throw new BrokenFileException("what it said is no frame: " + shown(line), broken);
        }
    }

    private static String shown(ByteArrayOutputStream line) {
        String text = line.toString(StandardCharsets.UTF_8);
        return text.substring(0, Math.min(SHOWN, text.length())).replaceAll("\\p{Cntrl}", "?");
    }

    private static final class HistogramWriter extends JsonSerializer<Histogram> {
        @Override
        public void serialize(Histogram times, JsonGenerator json, SerializerProvider unused) throws IOException {
            json.writeString(PackedTimes.text(times));
        }
    }

    private static final class HistogramReader extends JsonDeserializer<Histogram> {
        @Override
        public Histogram deserialize(JsonParser json, DeserializationContext unused) throws IOException {
            return PackedTimes.times(json.getText());
        }
    }

    private static final class EntriesWriter extends JsonSerializer<FedEntries> {
        @Override
        public void serialize(FedEntries entries, JsonGenerator json, SerializerProvider unused) throws IOException {
            json.writeString(entries.text());
        }
    }

    private static final class EntriesReader extends JsonDeserializer<FedEntries> {
        @Override
        public FedEntries deserialize(JsonParser json, DeserializationContext unused) throws IOException {
            return FedEntries.of(json.getText());
        }
    }

    /**
     * The times of a second as pairs of a value and its count, the largest value first, each value as how much it is smaller than the
     * one before. A second has few times of each kind: so this is a tenth of what the library's compressed form of all its counters takes, in bytes and
     * in CPU. Exact: all values between two that the histogram tells apart are one. Stateless.
     */
    private static final class PackedTimes {
        private static final int SIGNIFICANT_DIGITS = 3;

        private PackedTimes() {}

        static String text(Histogram times) {
            List<long[]> pairs = new ArrayList<>();
            for (HistogramIterationValue value : times.recordedValues()) {
                pairs.add(new long[] {value.getValueIteratedTo(), value.getCountAddedInThisIterationStep()});
            }
            PackedNumbers.Writer packed = new PackedNumbers.Writer();
            long before = 0;
            for (int i = pairs.size() - 1; i >= 0; i--) {
                long value = pairs.get(i)[0];
                packed.add(before == 0 ? value : before - value).add(pairs.get(i)[1]);
                before = value;
            }
            return packed.text();
        }

        /** @throws IllegalArgumentException if they are none, or more than a run measures */
        static Histogram times(String text) {
            PackedNumbers.Reader packed = new PackedNumbers.Reader(text);
            Histogram times = new Histogram(SIGNIFICANT_DIGITS);
            long value = -1;
            while (packed.hasMore()) {
                value = value < 0 ? packed.next() : value - packed.next();
                long count = packed.next();
                LoggedInterval.requirePossible(value, count);
                times.recordValueWithCount(value, count);
            }
            return times;
        }
    }
}
