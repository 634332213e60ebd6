package siemload.database;

import java.util.Locale;

/** The indexes of a data set; the same names mean the same on every target. */
public enum IndexSet {
    NONE,
    TIME,
    FIELDS,
    /** One for each searched field, combined with the time. */
    COMPOUND,
    /** What an expert of that database would deploy; the default. */
    NATIVE;

    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
