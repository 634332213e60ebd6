package siemload.run;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import siemload.database.DatasetKey;
import siemload.database.Variant;

/** Names loaded data sets so that equal names mean equal contents. */
final class DatasetKeys {
    /** Raised when a target stores the same events, or sums up what it stores, in another way than before. */
    private static final int STORAGE_VERSION = 1;

    private static final int DIGITS = 16;

    private DatasetKeys() {}

    static DatasetKey of(RunPlan plan, String serverVersion) {
        Variant variant = plan.variant();
        String label = String.join(
                ", ",
                plan.source().name(),
                variant.layout(),
                variant.indexes().label(),
                plan.choice().plugin().id() + " " + serverVersion);
        String all = String.join("\n", label, plan.source().fingerprint(), String.valueOf(STORAGE_VERSION));
        return new DatasetKey(
                sha256(all).substring(0, DIGITS), label, plan.source().count());
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
