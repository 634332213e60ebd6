package siemload.database;

import siemload.config.Choices.Labelled;

/** The source of a run's server. */
public enum Provision implements Labelled {
    /** Started by the suite on this machine. */
    EMBEDDED,
    /** Started by the suite in a container. */
    CONTAINER,
    /** Started by somebody else; siemload is given its url. */
    EXTERNAL
}
