package siemload.database;

import siemload.config.Choices.Labelled;

/** How the tables of a data set are partitioned; the same names mean the same on every target. */
public enum Partitions implements Labelled {
    /** Not at all: each table is one. */
    NONE,
    /** A partition for the events of each day, by detect time in UTC. */
    DAY
}
