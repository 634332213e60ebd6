package siemload.database;

import siemload.config.Choices.Labelled;

/** The indexes of a data set; the same names mean the same on every target. */
public enum IndexSet implements Labelled {
    NONE,
    TIME,
    FIELDS,
    /** One for each searched field, combined with the time. */
    COMPOUND,
    /** What an expert of that database would deploy; the default. */
    NATIVE
}
