package siemload.dataset.recording;

import java.util.function.Consumer;
import siemload.event.SecurityEvent;

/** Events in the order of their times, each found by its number from 0. Thread-safe. */
interface NumberedEvents {

    /** The detect time in microseconds since 1970; it never falls from one number to the next. */
    long micros(long number);

    SecurityEvent event(long number);

    /** Hands over all events in their order. */
    void forEach(Consumer<SecurityEvent> consumer);
}
