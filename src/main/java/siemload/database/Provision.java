package siemload.database;

import java.util.Locale;

/** Where the server comes from. */
public enum Provision {
    /** Started by the suite on this machine. */
    EMBEDDED,
    /** Started by the suite in a container. */
    CONTAINER,
    /** Started by somebody else, and given by a url. */
    EXTERNAL;

    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
