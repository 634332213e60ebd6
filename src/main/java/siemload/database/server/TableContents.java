package siemload.database.server;

/**
 * What tables hold. Immutable.
 *
 * @param summary differs where something is lost, as far as the database can tell: {@code 200000 events}
 */
public record TableContents(long events, String summary) {}
