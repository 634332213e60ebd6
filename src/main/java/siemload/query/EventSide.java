package siemload.query;

import java.util.stream.Stream;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;

/** On which side of an event a criterion looks. What has to be on both sides is asked for by a criterion for each. */
public enum EventSide {
    /** Among the sources. */
    SOURCE {
        @Override
        public Stream<Endpoint> of(SecurityEvent event) {
            return event.sources().stream();
        }
    },
    /** Among the targets. */
    TARGET {
        @Override
        public Stream<Endpoint> of(SecurityEvent event) {
            return event.targets().stream();
        }
    },
    /** Among the sources and the targets alike. */
    EITHER {
        @Override
        public Stream<Endpoint> of(SecurityEvent event) {
            return event.endpoints();
        }
    };

    /** The sources, the targets, or all of them. */
    public abstract Stream<Endpoint> of(SecurityEvent event);
}
