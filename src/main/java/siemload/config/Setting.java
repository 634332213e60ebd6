package siemload.config;

/**
 * A value that a run goes by, and where it comes from, for people and for {@code run.json}. Immutable.
 *
 * @param name the property's name, or the value's path in the scenario file
 * @param value as it could be written
 * @param origin who said so
 */
public record Setting(String name, String value, Origin origin) {}
