package siemload.database;

import siemload.config.Choices.Labelled;

/** The partitioning of a data set's tables; each name means the same on every target. */
public enum Partitions implements Labelled {
    /** Tables are not partitioned. */
    NONE,
    /** A partition for the events of each day, by detect time in UTC. */
    DAY
}
