package siemload.config;

import java.util.Collection;
import java.util.List;

/**
 * A value that a run uses, with its origin, for messages and for {@code run.json}. Immutable.
 *
 * @param name the property's name, or the value's path in the scenario file
 * @param value the value as a user could write it
 */
public record Setting(String name, String value, Origin origin) {

    /** Creates a setting that was given as {@code --name}, or by {@code --set}. */
    public static Setting option(String name, String value) {
        return new Setting(name, value, new Origin.Option(Settings.isOfScenario(name) ? "set" : name));
    }

    /** Returns the settings in their order, without those of the unwanted properties. */
    public static List<Setting> without(Collection<Property<?>> unwanted, List<Setting> all) {
        List<String> names = unwanted.stream().map(Property::name).toList();
        return all.stream().filter(setting -> !names.contains(setting.name())).toList();
    }

    /** Returns whether the value was given explicitly and is not a default. */
    public boolean wasGiven() {
        return !(origin instanceof Origin.Default);
    }

    /** Returns the value with its secrets hidden; for a command, only a fingerprint that distinguishes the command from others. */
    public String shown() {
        return name.equals(Property.VIA.name()) ? "sha256:" + Sha256.fingerprint(value) : Secrets.masked(name, value);
    }
}
