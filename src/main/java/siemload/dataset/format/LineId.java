package siemload.dataset.format;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.UUID;
import siemload.config.Sha256;

/** Ids of events whose format has none: the same line at the same place has always the same one. Thread-safe. */
final class LineId {
    private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(Sha256::digest);

    private LineId() {}

    /** A UUID of version 8 from the bytes of the line and from where it stands in its file. */
    static String of(byte[] bytes, int offset, int length, long position) {
        MessageDigest digest = SHA_256.get();
        digest.update(bytes, offset, length);
        ByteBuffer hash = ByteBuffer.wrap(
                digest.digest(ByteBuffer.allocate(Long.BYTES).putLong(position).array()));
        long high = (hash.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
        long low = (hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | Long.MIN_VALUE;
        return new UUID(high, low).toString();
    }
}
