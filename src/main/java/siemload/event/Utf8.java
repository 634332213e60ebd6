package siemload.event;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Looks for bytes that are no UTF-8. The JSON parser takes code points behind the last one of Unicode, and halves of surrogate pairs;
 * in the name of a field they cannot be written again. Stateless.
 */
final class Utf8 {
    /** The first byte of halves of surrogate pairs; all that lies behind Unicode begins with a higher one. */
    private static final int FIRST_DOUBTFUL = 0xED;

    private Utf8() {}

    /** Whether the parser may take what is no UTF-8: there are bytes that few texts have. */
    static boolean isDoubtful(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] < 0 && (bytes[i] & 0xFF) >= FIRST_DOUBTFUL) {
                return true;
            }
        }
        return false;
    }

    /** Throws where doubtful bytes are no UTF-8. */
    static void require(byte[] bytes, int offset, int length) throws CharacterCodingException {
        if (isDoubtful(bytes, offset, length)) {
            var unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, offset, length));
        }
    }
}
