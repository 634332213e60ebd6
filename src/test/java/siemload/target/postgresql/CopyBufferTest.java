package siemload.target.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.postgresql.copy.CopyIn;

final class CopyBufferTest {
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final CopyBuffer buffer = new CopyBuffer(recording());

    @Test
    void whatTextFormatTakesForASignIsEscaped() throws SQLException {
        buffer.escaped("a\\b\tc\nd\re\\N\\.");
        buffer.flush();
        assertThat(text()).isEqualTo("a\\\\b\\tc\\nd\\re\\\\N\\\\.");
    }

    @Test
    void textIsSentInUtf8() throws SQLException {
        String all = "a\u007F\u0080é\u07FF\u0800€\uFFFD\uD83D\uDE00\uDBFF\uDFFF";
        buffer.escaped(all);
        buffer.flush();
        assertThat(text()).isEqualTo(all);
    }

    @Test
    void aRowLongerThanAPieceIsSentWhole() throws SQLException {
        String longText = "€".repeat(500_000);
        buffer.escaped(longText);
        buffer.raw('\n');
        buffer.endRow();
        assertThat(text()).isEqualTo(longText + "\n");
    }

    @Test
    void numbersAreBigEndian() throws SQLException {
        buffer.bigEndian(-1, 2);
        buffer.bigEndian(0x01020304, 4);
        buffer.flush();
        assertThat(sent.toByteArray()).containsExactly(0xFF, 0xFF, 1, 2, 3, 4);
    }

    private String text() {
        return sent.toString(StandardCharsets.UTF_8);
    }

    private CopyIn recording() {
        return (CopyIn) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {CopyIn.class}, (proxy, method, arguments) -> {
                    sent.write((byte[]) arguments[0], (int) arguments[1], (int) arguments[2]);
                    return null;
                });
    }
}
