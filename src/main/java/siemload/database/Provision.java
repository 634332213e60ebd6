package siemload.database;

import siemload.config.Choices.Labelled;

/** The source of a run's server. */
public enum Provision implements Labelled {
    /** A server that the suite starts on this machine. */
    EMBEDDED,
    /** A server that the suite starts in a container. */
    CONTAINER,
    /** A server started by somebody else; siemload is given the server's url. */
    EXTERNAL
}
