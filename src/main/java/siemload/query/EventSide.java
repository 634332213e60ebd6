package siemload.query;

import java.util.stream.Stream;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;

/** The side of an event that a criterion is about. Conditions on both sides need one criterion for each side. */
public enum EventSide {
    SOURCE,
    TARGET,
    /** Sources and targets. */
    EITHER;

    /** The sources, the targets, or all of them. */
    public Stream<Endpoint> of(SecurityEvent event) {
        return switch (this) {
            case SOURCE -> event.sources().stream();
            case TARGET -> event.targets().stream();
            case EITHER -> event.endpoints();
        };
    }
}
