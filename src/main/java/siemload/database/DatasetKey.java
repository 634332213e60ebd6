package siemload.database;

/**
 * Names one loaded data set on a server. Equal fingerprints mean equal contents, layout, indexes and server version.
 * Immutable.
 *
 * @param fingerprint 16 lower-case hexadecimal digits
 * @param label what it is, for people who find it on the server: {@code smoke, mentat, native, 18.6}
 * @param events the number of events
 */
public record DatasetKey(String fingerprint, String label, long events) {}
