package siemload.scenario;

import java.util.List;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;

/** Which settings mean something to statements: others that somebody gives would be taken for done. Stateless. */
public final class StatementSettings {
    private static final List<Property<?>> OF_EVENTS = List.of(
            Property.DATASET,
            Property.AMPLIFY,
            Property.FORMAT,
            Property.LAYOUT,
            Property.PARTITIONS,
            Property.INDEXES,
            Property.HINT,
            Property.PAGING,
            Property.EPS,
            Property.RELOAD);

    private StatementSettings() {}

    /** Those that mean something to statements, in their order. */
    public static List<Setting> of(Settings settings) {
        return Setting.without(OF_EVENTS, settings.list());
    }

    /** Notes those that somebody gave. */
    static void check(Settings settings, Problems problems) {
        settings.refuseGiven(
                OF_EVENTS, "means nothing to statements, which ask data as they are (leave it out)", problems);
    }
}
