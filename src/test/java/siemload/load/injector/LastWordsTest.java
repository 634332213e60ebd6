package siemload.load.injector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class LastWordsTest {

    @Test
    void theEndOfWhatWasWrittenIsKept() throws IOException {
        LastWords words = new LastWords();
        words.write("first\n".repeat(100_000).getBytes(StandardCharsets.UTF_8));
        words.write("last ".getBytes(StandardCharsets.UTF_8));
        words.write('!');

        assertThat(words.text()).hasSize(16_384).endsWith("first\nlast !");
    }

    @Test
    void aLetterMayComeInTwoPieces() throws IOException {
        byte[] letter = "ž".getBytes(StandardCharsets.UTF_8);
        LastWords words = new LastWords();
        words.write(letter, 0, 1);
        words.write(letter, 1, 1);

        assertThat(words.text()).isEqualTo("ž");
    }
}
