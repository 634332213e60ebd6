package siemload.query;

import java.util.Locale;
import java.util.stream.Stream;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/** What events are grouped by. An event counts once for each different value that it has, and not at all without one. */
public enum Field {
    /** The categories. */
    CATEGORY {
        @Override
        public Stream<String> values(SecurityEvent event) {
            return event.categories().stream().distinct();
        }
    },
    /** The names of the nodes, detectors and relays alike; {@link Criterion.DetectorIs} looks for one of them. */
    DETECTOR {
        @Override
        public Stream<String> values(SecurityEvent event) {
            return event.nodes().stream().map(Node::name).distinct();
        }
    },
    /** The transport ports of sources and targets, in decimal. */
    PORT {
        @Override
        public Stream<String> values(SecurityEvent event) {
            return event.endpoints()
                    .flatMap(endpoint -> endpoint.ports().stream())
                    .map(String::valueOf)
                    .distinct();
        }
    };

    /** The different values of an event. */
    public abstract Stream<String> values(SecurityEvent event);

    /** The name in settings and results: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
