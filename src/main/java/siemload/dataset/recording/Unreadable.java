package siemload.dataset.recording;

import siemload.config.Property;
import siemload.config.Settings;

/** What happens with lines of a recording that are no events, or repeat the id of an earlier one. */
public enum Unreadable {
    /** They are counted, the first of them are reported, and the rest is read. */
    SKIP,
    /** The first of them ends the reading. */
    FAIL;

    /** What the settings say. */
    public static Unreadable of(Settings settings) {
        return settings.value(Property.UNREADABLE).equals("fail") ? FAIL : SKIP;
    }
}
