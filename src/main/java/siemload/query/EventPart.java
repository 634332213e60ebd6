package siemload.query;

import java.util.Locale;

/** What an event may be without. */
public enum EventPart {
    /** Addresses of either family. */
    ADDRESS,
    /** Transport ports. */
    PORT,
    CATEGORY,
    /** An empty one is none, and so is one of NUL characters alone. */
    DESCRIPTION;

    /** Whether one side of an event may be without it. */
    public boolean hasSides() {
        return this == ADDRESS || this == PORT;
    }

    /** As files write it: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
