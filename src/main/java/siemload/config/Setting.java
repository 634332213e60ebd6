package siemload.config;

/**
 * A value that a run goes by, and where it comes from, for people and for {@code run.json}. Immutable.
 *
 * @param name the property's name, or the value's path in the scenario file
 * @param value as it could be written
 * @param origin who said so
 */
public record Setting(String name, String value, Origin origin) {

    /** Whether somebody said so: it is no default. */
    public boolean wasGiven() {
        return !(origin instanceof Origin.Default);
    }

    /** The value as it may be shown: a command only by what tells it from another one. */
    public String shown() {
        return name.equals(Property.CACHE_COMMAND.name()) ? Secrets.hashed(value) : Secrets.masked(name, value);
    }
}
