package siemload.database;

import java.util.Locale;

/** How the tables of a data set are partitioned; the same names mean the same on every target. */
public enum Partitions {
    /** Not at all: each table is one. */
    NONE,
    /** A partition for the events of each day, by detect time in UTC. */
    DAY;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
