package siemload.load.injector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.ServerAddress;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.ResultText.BrokenFileException;
import siemload.results.SearchKey;
import siemload.run.LoadOutcome;
import siemload.run.LoadRun.Shard;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.CheckedAnswers.WrongAnswer;
import siemload.run.answers.FeedLedger;

final class FrameTest {

    static Stream<Frame> frames() {
        FeedLedger.Entry entry = new FeedLedger.Entry(12, FeedLedger.Change.ACKNOWLEDGED, 1_700_000_000_123_456_789L);
        SearchKey key = new SearchKey(SearchName.HAWAT1, PageClass.FIRST, Order.NEWEST_FIRST);
        return Stream.of(
                new Frame.Part(
                        "1.0",
                        Map.of("users", "5"),
                        new Shard(1, 4),
                        new ServerAddress("jdbc:x", "me", "secret\n\u2028"),
                        "COPY:run"),
                RunningLoadTest.outcome(1, LoadOutcome.Ending.COMPLETE),
                new Frame.Check(List.of(entry, new FeedLedger.Entry(4, FeedLedger.Change.SENT, -7)), true),
                new Frame.Checked(new CheckedAnswers(
                        0.5,
                        10,
                        1,
                        List.of(new WrongAnswer(key, "HAWAT1 ...", -5, 6, List.of("too few"), "4 rows", "3 rows")))),
                new Frame.Failed("no room", 3));
    }

    @ParameterizedTest
    @MethodSource("frames")
    void aFrameIsALineAndComesBackAsItWas(Frame frame) throws IOException {
        String lines = text(frame) + text(new Frame.Stop());

        BufferedReader input = new BufferedReader(new StringReader(lines));
        assertThat(Frame.read(input)).contains(frame);
        assertThat(Frame.read(input)).contains(new Frame.Stop());
        assertThat(Frame.read(input)).isEqualTo(Optional.empty());
        assertThat(lines.lines()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Exception in thread main",
                "{\"frame\":\"nonsense\"}",
                "{\"frame\":\"start\"}",
                "{\"frame\":\"start\",\"serverNanos\":1,\"more\":2}",
                "null"
            })
    void whatIsNoFrameIsRefusedWithItsBeginning(String line) {
        assertThatThrownBy(() -> read(line + "\n"))
                .isInstanceOf(BrokenFileException.class)
                .hasMessageStartingWith("what it said is not a frame: ");
    }

    @Test
    void theTextOfAPartShowsNoSecret() {
        assertThat(frames().findFirst().orElseThrow().toString()).doesNotContain("secret");
    }

    private static String text(Frame frame) {
        return new String(frame.line(), StandardCharsets.UTF_8);
    }

    private static Optional<Frame> read(String text) throws IOException {
        return Frame.read(new BufferedReader(new StringReader(text)));
    }
}
