package siemload.database.postgresql.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CopyBufferTest {
    private final CopyBuffer buffer = new CopyBuffer(8);

    @Test
    void rowsStandBetweenHeaderAndTrailer() throws SQLException {
        assertThat(SentRows.of(List.of(CopyBuffer.beforeRows(), CopyBuffer.afterRows())))
                .asString(StandardCharsets.ISO_8859_1)
                .isEqualTo("PGCOPY\n\u00FF\r\n\0" + "\0".repeat(8) + "\u00FF\u00FF");
    }

    @Test
    void textIsSentInUtf8() throws SQLException {
        String all = "a\\b\tc\nd\u007F\u0080é\u07FF\u0800€\uFFFD\uD83D\uDE00\uDBFF\uDFFF";
        buffer.utf8(all);
        assertThat(new String(content(), StandardCharsets.UTF_8)).isEqualTo(all);
    }

    @Test
    void whatTextCannotHoldIsLeftOut() throws SQLException {
        buffer.utf8("a\0b\uD83Dc");
        assertThat(new String(content(), StandardCharsets.UTF_8)).isEqualTo("ab\uFFFDc");
    }

    @Test
    void aRowMayBeLongerThanExpected() throws SQLException {
        String longText = "€".repeat(500_000);
        buffer.beginRow(1);
        buffer.utf8(longText);
        assertThat(content()).hasSize(2 + 3 * 500_000).startsWith(0, 1).endsWith("€".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void numbersAreBigEndian() throws SQLException {
        buffer.int8(-1);
        buffer.int16(0x0102);
        buffer.int32(0x03040506);
        buffer.int64(0x0708090A_0B0C0D0EL);
        assertThat(content()).containsExactly(0xFF, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    }

    @Test
    void aValueHasItsLengthBeforeIt() throws SQLException, IOException {
        int outer = buffer.beginValue();
        int inner = buffer.beginValue();
        buffer.stream().write(new byte[] {7, 8, 9}, 1, 2);
        buffer.endValue(inner);
        buffer.endValue(outer);
        assertThat(content()).containsExactly(0, 0, 0, 6, 0, 0, 0, 2, 8, 9);
    }

    private byte[] content() throws SQLException {
        byte[] sent = SentRows.of(List.of(buffer));
        assertThat(buffer.size()).isEqualTo(sent.length);
        return sent;
    }
}
