package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.ServerAddress;
import siemload.load.Injectors.Frame;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.ResultText.BrokenFileException;
import siemload.results.SearchKey;
import siemload.run.LoadRun.Shard;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.CheckedAnswers.WrongAnswer;

final class FrameTest {
    private static final ServerAddress SERVER = new ServerAddress("jdbc:x", "me", "secret\n\u2028");
    private static final Frame PART = new Frame.Part("1.0", Map.of("users", "5"), new Shard(1, 4), SERVER, "COPY:run");

    static Stream<Frame> frames() {
        SearchKey key = new SearchKey(SearchName.HAWAT1, PageClass.FIRST, Order.NEWEST_FIRST);
        WrongAnswer wrong = new WrongAnswer(key, "HAWAT1 ...", -5, 6, List.of("too few"), "4 rows");
        return Stream.of(PART, new Frame.Checked(new CheckedAnswers(0.5, 10, 1, List.of(wrong))));
    }

    @ParameterizedTest
    @MethodSource("frames")
    void aFrameIsALineAndComesBackAsItWas(Frame frame) throws IOException {
        String line = new String(frame.line(), StandardCharsets.UTF_8);

        assertThat(line.lines()).hasSize(1);
        assertThat(Frame.read(new BufferedReader(new StringReader(line)))).contains(frame);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Exception in thread main",
                "{\"frame\":\"nonsense\"}",
                "{\"frame\":\"Start\"}",
                "{\"frame\":\"Start\",\"serverNanos\":1,\"more\":2}",
                "null"
            })
    void whatIsNoFrameIsRefusedWithItsBeginning(String line) {
        assertThatThrownBy(() -> Frame.read(new BufferedReader(new StringReader(line + "\n"))))
                .isInstanceOf(BrokenFileException.class)
                .hasMessageStartingWith("it sent this instead of a frame: ");
    }

    @Test
    void theTextOfAPartShowsNoSecret() {
        assertThat(PART.toString()).doesNotContain("secret");
    }
}
