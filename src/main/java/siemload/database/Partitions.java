package siemload.database;

import java.util.Locale;

/** What the tables of a data set are cut into; the same names mean the same on every target. */
public enum Partitions {
    /** Nothing: each table is one. */
    NONE,
    /** A partition for the events of each day, by detect time in UTC. */
    DAY;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
