package siemload.database;

import java.util.Locale;

/** Which indexes a data set gets; the same names mean the same on every target. */
public enum IndexSet {
    /** No secondary index. */
    NONE,
    /** One on the detect time. */
    TIME,
    /** One for each searched field. */
    FIELDS,
    /** One for each searched field together with the time. */
    COMPOUND,
    /** What an expert of that database would deploy; the default. */
    NATIVE;

    /** The name in settings and results: lower case with hyphens. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
