package siemload.config;

import java.util.Collection;
import java.util.List;

/**
 * A value of a run and its origin, for people and for {@code run.json}. Immutable.
 *
 * @param name the property's name, or the value's path in the scenario file
 * @param value as it could be written
 * @param origin where it comes from
 */
public record Setting(String name, String value, Origin origin) {

    /** A setting given as {@code --name}, or by {@code --set}. */
    public static Setting option(String name, String value) {
        return new Setting(name, value, new Origin.Option(Settings.isOfScenario(name) ? "set" : name));
    }

    /** All settings except those of these properties, in their order. */
    public static List<Setting> without(Collection<Property<?>> unwanted, List<Setting> all) {
        List<String> names = unwanted.stream().map(Property::name).toList();
        return all.stream().filter(setting -> !names.contains(setting.name())).toList();
    }

    /** Whether it was given explicitly, and is not a default. */
    public boolean wasGiven() {
        return !(origin instanceof Origin.Default);
    }

    /** The value as it may be shown; for a command, only a fingerprint that distinguishes it from others. */
    public String shown() {
        return name.equals(Property.VIA.name()) ? "sha256:" + Sha256.fingerprint(value) : Secrets.masked(name, value);
    }
}
