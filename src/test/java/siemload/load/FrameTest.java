package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.ServerAddress;
import siemload.load.InjectorProcess.Frame;
import siemload.results.ResultText.BrokenFileException;
import siemload.run.LoadRun.Shard;

final class FrameTest {

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
        assertThatThrownBy(() -> Frame.read(new BufferedReader(new StringReader(line + "\n"))))
                .isInstanceOf(BrokenFileException.class)
                .hasMessageStartingWith("what it said is not a frame: ");
    }

    @Test
    void theTextOfAPartShowsNoSecret() {
        ServerAddress server = new ServerAddress("jdbc:x", "me", "secret\n\u2028");
        Frame part = new Frame.Part("1.0", Map.of("users", "5"), new Shard(1, 4), server, "COPY:run");
        assertThat(part.toString()).doesNotContain("secret");
    }
}
