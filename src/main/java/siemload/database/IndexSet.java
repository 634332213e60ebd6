package siemload.database;

import siemload.config.Choices.Labelled;

/** The indexes of a data set; each name means the same on every target. */
public enum IndexSet implements Labelled {
    NONE,
    TIME,
    FIELDS,
    /** One index for each searched field, combined with the time. */
    COMPOUND,
    /** The indexes that an expert in that database would create; the default. */
    NATIVE
}
