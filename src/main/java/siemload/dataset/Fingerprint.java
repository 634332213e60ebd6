package siemload.dataset;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Collects what a data set is made of into 16 hexadecimal digits. Not thread-safe. */
final class Fingerprint {
    private final MessageDigest digest = sha256();
    private final IdeaWriter writer = new IdeaWriter();

    void add(String text) {
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) '\n');
    }

    /** Adds an event and tells the size of its JSON in bytes. */
    int add(SecurityEvent event) {
        byte[] json = writer.toBytes(event);
        digest.update(json);
        digest.update((byte) '\n');
        return json.length;
    }

    /** The first 16 digits of the SHA-256 of all that was added; nothing can be added afterwards. */
    String value() {
        return HexFormat.of().formatHex(digest.digest(), 0, 8);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
