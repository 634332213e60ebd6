package siemload.dataset;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import siemload.config.Sha256;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Collects what a data set is made of into 16 hexadecimal digits. Not thread-safe. */
final class Fingerprint {
    private final MessageDigest digest = Sha256.digest();
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
        return Sha256.fingerprint(digest.digest());
    }
}
