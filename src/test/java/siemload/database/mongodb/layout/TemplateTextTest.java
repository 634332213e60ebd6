package siemload.database.mongodb.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import siemload.database.layout.document.BadTemplateException;
import siemload.database.layout.document.TemplateFiles;
import siemload.database.layout.document.TemplateText;

/** Whatever a file holds, it is a template or is told to be none. */
final class TemplateTextTest {
    private static final int SEEDS = 3_000;
    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            "\"",
            ":",
            ",",
            "null",
            "1e999",
            "{\"$param\": \"id\"}",
            "{\"$each\": \"node\", \"in\": []}",
            "{\"$date\": \"x\"}",
            "{\"$numberLong\": \"y\"}",
            "{\"$numberDecimal\": \"1e7000\"}",
            "{\"$oid\": \"12\"}",
            "{\"$binary\": {\"base64\": \"?\", \"subType\": \"00\"}}",
            "{\"$uuid\": \"1-2\"}",
            "{\"$code\": 1}",
            "{\"$regularExpression\": {\"pattern\": \"(\", \"options\": \"?\"}}",
            "{\"$timestamp\": {\"t\": -1}}",
            "{\"$dbPointer\": 1}",
            "{\"$minKey\": 2}",
            "\\u0000",
            "/* no comment */",
            "ISODate()",
            "'single'");

    @Test
    void brokenTextsAreToldToBeNone() {
        List<String> texts = List.copyOf(
                TemplateFiles.templates(DocumentLayout.IDEA.copied()).values());
        int told = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            String text = broken(texts.get(random.nextInt(texts.size())), random);
            try {
                assertThat(TemplateText.read(text, ExtendedJson.NOTATION)
                                .template()
                                .json())
                        .isNotNull();
            } catch (BadTemplateException bad) {
                told++;
                assertThat(bad).as("seed " + seed + ": " + text).message().isNotBlank();
            } catch (RuntimeException other) {
                throw new AssertionError("seed " + seed + ": " + text, other);
            }
        }
        assertThat(told).isBetween(SEEDS / 3, SEEDS - 1);
    }

    private static String broken(String text, SplittableRandom random) {
        StringBuilder broken = new StringBuilder(text);
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int from = random.nextInt(broken.length() + 1);
            int until = Math.min(broken.length(), from + random.nextInt(6));
            broken.replace(from, until, random.nextBoolean() ? PIECES.get(random.nextInt(PIECES.size())) : "");
        }
        return broken.toString();
    }
}
