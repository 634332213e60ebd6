package siemload.dataset;

import java.util.List;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;

/**
 * In how many events a value occurred, what occurred with it in the first of them, and in the first with a port. Not
 * thread-safe.
 */
class Seen {
    static final int NO_PORT = -1;

    private final String category;
    private final String detector;
    private int port;
    private long events;

    /** Seen in no event yet, but about to be counted in its first one. */
    Seen(SecurityEvent first) {
        category = first.categories().isEmpty()
                ? ValuePoolsBuilder.ABSENT_CATEGORY
                : first.categories().get(0);
        detector = first.detector().orElse(ValuePoolsBuilder.ABSENT_DETECTOR);
        port = anyPort(first);
    }

    final void count(SecurityEvent event) {
        events++;
        if (port == NO_PORT) {
            port = anyPort(event);
        }
    }

    /** The first category of its first event. */
    final String category() {
        return category;
    }

    /** The detector of its first event. */
    final String detector() {
        return detector;
    }

    /** A port of the first event that had one, or this one where none had. */
    final int port(int otherwise) {
        return port == NO_PORT ? otherwise : port;
    }

    final long events() {
        return events;
    }

    /** The first port of a side, or {@link #NO_PORT}. */
    static int anyPort(List<Endpoint> side) {
        for (int i = 0; i < side.size(); i++) {
            if (!side.get(i).ports().isEmpty()) {
                return side.get(i).ports().get(0);
            }
        }
        return NO_PORT;
    }

    private static int anyPort(SecurityEvent event) {
        int port = anyPort(event.sources());
        return port == NO_PORT ? anyPort(event.targets()) : port;
    }
}
