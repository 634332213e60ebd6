package siemload.database.layout;

import java.util.Locale;

/** What siemload stores where a layout says. */
public enum Loading {
    /** The events of data sets, which it also feeds. */
    EVENTS,
    /** Nothing: they are somebody's, and are searched alone. */
    NONE;

    /** The name in {@code layout.yaml}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
