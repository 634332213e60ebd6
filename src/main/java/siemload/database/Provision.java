package siemload.database;

import java.util.Locale;

/** Where the server comes from. */
public enum Provision {
    /** Started by the suite on this machine. */
    EMBEDDED,
    /** Started by the suite in a container. */
    CONTAINER,
    /** Somebody else's, named by a URL. */
    EXTERNAL;

    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
