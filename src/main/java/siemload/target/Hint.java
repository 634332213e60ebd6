package siemload.target;

import java.util.Locale;

/** What the optimiser is told; the same names mean the same on every target. */
public enum Hint {
    /** Nothing; the default. */
    NONE,
    /** Read the whole table. */
    FULL_SCAN,
    /** Read the whole table with several workers. */
    FULL_SCAN_PARALLEL,
    /** Use the index of the searched field. */
    INDEX,
    /** Use the index of the detect time. */
    TIME_INDEX,
    /** Return the first rows as early as possible. */
    FIRST_ROWS;

    /** The name in settings and results: lower case with hyphens. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
