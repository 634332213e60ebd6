package siemload.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An outline must never be given of a line that cannot be read, and must be that of the event where it can. */
class IdeaOutlineTest {
    private static final String PLAIN =
            "{\"Format\":\"IDEA0\",\"ID\":\"a-1\",\"DetectTime\":\"2016-06-06T12:00:00.5Z\","
                    + "\"Category\":[\"Recon.Scanning\",\"Test\"],\"Confidence\":0.5,\"FlowCount\":12,\"Source\":[{\"IP4\":[\"192.0.2.1\"],"
                    + "\"Port\":[22,-1],\"Note\":\"č\\u0041\\n\"}],\"Node\":[{\"Name\":\"cz.example\",\"Spoofed\":false,\"Ref\":null}]}";

    /** What byte by byte changes are made of: all that means something in JSON and in UTF-8. */
    private static final byte[] BYTES = "{}[]\",:\\/ue0.-+E19 \t\nntfaXIDN".getBytes(StandardCharsets.UTF_8);

    private final IdeaReader reader = new IdeaReader();

    @Test
    void aPlainEventHasItsOutline() {
        assertThat(outline(PLAIN)).contains(EventOutline.of(reader.read(PLAIN)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"ID\":\"\",\"DetectTime\":\"2016-06-06T12:00:00Z\",\"Format\":\"IDEA0\",\"Category\":[\"Test\"]}",
                "{\"ID\":\"a\",\"DetectTime\":\"noon\",\"Format\":\"IDEA0\",\"Category\":[\"Test\"]}",
                "{\"ID\":\"a\",\"DetectTime\":\"2016-06-06T12:00:00Z\",\"Category\":[\"Test\"]}",
                "{\"ID\":\"a\",\"DetectTime\":\"2016-06-06T12:00:00Z\",\"Format\":\"IDEA0\",\"Category\":[]}",
                "{\"ID\":\"a\",\"ID\":\"b\",\"DetectTime\":\"2016-06-06T12:00:00Z\",\"Format\":\"IDEA0\",\"Category\":[\"Test\"]}",
                "{\"ID\":\"a\",\"DetectTime\":\"2016-06-06T12:00:00Z\",\"Format\":\"IDEA0\",\"Category\":[\"Test\"]} {}",
                "{\"ID\":\"a\",\"DetectTime\":\"2016-06-06T12:00:00Z\",\"Format\":\"IDEA0\",\"Category\":[\"Test\"],\"n\":1e9999999999}"
            })
    void whatIsNotPlainIsLeftToTheReader(String line) {
        assertThat(outline(line)).isEmpty();
    }

    @Test
    void aLineThatMayHaveATextTooLongForAnIndexIsLeftToTheReader() {
        assertThat(outline(PLAIN.replace("cz.example", "x".repeat(2_001)))).isEmpty();
    }

    @Test
    void changedLinesHaveAnOutlineOnlyIfTheyAreEvents() {
        Random random = new Random(7);
        int outlines = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] line = changed(random);
            Optional<EventOutline> outline = reader.outline(line, 0, line.length);
            if (outline.isPresent()) {
                outlines++;
                SecurityEvent event = reader.read(line);
                assertThat(outline).contains(EventOutline.of(event));
                assertThat(reader.lacks(event)).isEmpty();
            }
        }
        assertThat(outlines).isBetween(10_000, 90_000);
    }

    private static byte[] changed(Random random) {
        byte[] line = PLAIN.getBytes(StandardCharsets.UTF_8);
        for (int changes = random.nextInt(3) + 1; changes > 0; changes--) {
            int at = random.nextInt(line.length);
            line[at] = random.nextInt(4) == 0 ? (byte) random.nextInt(256) : BYTES[random.nextInt(BYTES.length)];
            if (random.nextInt(4) == 0) {
                line = without(line, at);
            }
        }
        return line;
    }

    private static byte[] without(byte[] line, int at) {
        byte[] shorter = new byte[line.length - 1];
        System.arraycopy(line, 0, shorter, 0, at);
        System.arraycopy(line, at + 1, shorter, at, shorter.length - at);
        return shorter;
    }

    private Optional<EventOutline> outline(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        return reader.outline(bytes, 0, bytes.length);
    }
}
