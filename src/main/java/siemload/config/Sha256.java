package siemload.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The hash function by which contents are compared. Stateless and thread-safe. */
public final class Sha256 {
    private Sha256() {}

    /** Returns the hash of a text in UTF-8, which has 32 bytes. */
    public static byte[] of(String text) {
        return digest().digest(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the first 16 hexadecimal digits of the hash of a text: enough if nobody tries to make two texts with equal digits. */
    public static String fingerprint(String text) {
        return fingerprint(of(text));
    }

    /** Returns the first 16 hexadecimal digits of a hash. */
    public static String fingerprint(byte[] hash) {
        return HexFormat.of().formatHex(hash, 0, 8);
    }

    /** Returns a digest for contents that arrive in parts. Used by one thread. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
