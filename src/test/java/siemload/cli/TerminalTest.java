package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.cli.ProcessHost.Terminal;

@Tag("every-java")
class TerminalTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void onATerminalTheStatusIsRedrawnInPlaceBelowTheLines() {
        twoStatesALineAndTheEnd(new Terminal(out, out, 80));

        assertThat(printed()).isEqualTo("10 %\r\u001b[K20 %\r\u001b[Ka line\n20 %\r\u001b[K");
    }

    @Test
    void aStatusIsCutToTheWidthSoThatItNeverWraps() {
        new Terminal(out, out, 10).status("0123456789abc");

        assertThat(printed()).isEqualTo("012345678");
    }

    @Test
    void textsCannotDriveTheTerminal() {
        Terminal terminal = new Terminal(out, out, 0);
        terminal.line("a\u001b]0;title\u0007b\u009b2Jc\rd\te\r\nf");
        terminal.error("\u001b[2J");

        assertThat(printed()).isEqualTo("a?]0;title?b?2Jc?d\te\r\nf\n?[2J\n");
    }

    @Test
    void elsewhereAStatusIsALineNowAndThen() {
        twoStatesALineAndTheEnd(new Terminal(out, out, 0));

        assertThat(printed()).isEqualTo("10 %\na line\n");
    }

    private static void twoStatesALineAndTheEnd(Terminal terminal) {
        terminal.status("10 %");
        terminal.status("20 %");
        terminal.line("a line");
        terminal.status("");
    }

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
