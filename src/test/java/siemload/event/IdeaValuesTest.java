package siemload.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.GoldenFile;

@Tag("every-java")
class IdeaValuesTest {
    @Test
    void addressesAreWrittenInTheirShortestUsualNotationOrRefusedWithTheirText() throws IOException {
        GoldenFile.of("events/addresses.txt").assertEach(line -> {
            String text = line.replace("<empty>", "");
            try {
                return AddressRange.parse(text).toString();
            } catch (IllegalArgumentException refused) {
                assertThat(AddressRange.tryParse(text)).isEmpty();
                return refused.getMessage();
            }
        });
    }

    @Test
    void tenThousandTimesAreWrittenAndReadLikeTheJdkDoes() {
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            long nanos = i % 4 == 0 ? 0 : random.nextInt(1_000) * (long) Math.pow(10, 3 * (i % 3));
            Instant time = Instant.ofEpochSecond(random.nextLong(-62_135_596_800L, 253_402_300_800L), nanos);
            assertThat(IdeaTime.format(time)).isEqualTo(time.toString());
            assertThat(IdeaTime.parse(time.toString())).contains(time);
        }
    }

    @Test
    void offsetsAndFractionsAreReadAndWhatIsNoTimeIsRefused() throws IOException {
        GoldenFile.of("events/idea-times.txt")
                .assertEach(line -> IdeaTime.parse(line.replace("<empty>", ""))
                        .map(Instant::toString)
                        .orElse("no time"));
    }
}
