package siemload.measure.monitor;

import java.io.IOException;

/** A host that is not this one, and tells what it does. Used by one thread at a time. */
interface OtherHost {

    /** What results call it: no secret, and no comma. */
    String name();

    /**
     * Looks at it; takes a few seconds at most.
     *
     * @throws IOException if it does not answer, or not understandably; the message says which for people
     */
    HostReading read() throws IOException;
}
