package siemload.database.server;

/**
 * A step that builds a key or an index.
 *
 * @param name what it makes, for people: {@code index events_detect_time}
 * @param work builds it; throws a {@link siemload.database.TargetException} if the server refuses
 */
public record BuildStep(String name, Runnable work) {}
