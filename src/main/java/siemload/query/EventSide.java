package siemload.query;

import java.util.stream.Stream;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;

/** On which side of an event a criterion looks. What has to be on both sides is asked for by a criterion for each. */
public enum EventSide {
    SOURCE,
    TARGET,
    /** Among the sources and the targets alike. */
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
