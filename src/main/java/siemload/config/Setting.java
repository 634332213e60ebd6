package siemload.config;

import java.util.Collection;
import java.util.List;

/**
 * A value that a run goes by, and where it comes from, for people and for {@code run.json}. Immutable.
 *
 * @param name the property's name, or the value's path in the scenario file
 * @param value as it could be written
 * @param origin who said so
 */
public record Setting(String name, String value, Origin origin) {

    /** One that was given as {@code --name}, or by {@code --set}. */
    public static Setting option(String name, String value) {
        return new Setting(name, value, new Origin.Option(Settings.isOfScenario(name) ? "set" : name));
    }

    /** All but those of these properties, in their order. */
    public static List<Setting> without(Collection<Property<?>> unwanted, List<Setting> all) {
        List<String> names = unwanted.stream().map(Property::name).toList();
        return all.stream().filter(setting -> !names.contains(setting.name())).toList();
    }

    /** Whether somebody said so: it is no default. */
    public boolean wasGiven() {
        return !(origin instanceof Origin.Default);
    }

    /** The value as it may be shown: a command only by what tells it from another one. */
    public String shown() {
        return name.equals(Property.VIA.name()) ? Secrets.hashed(value) : Secrets.masked(name, value);
    }
}
