package siemload.dataset.recording;

/**
 * Detect time and {@link Place} of events: 16 bytes each. The times are microseconds since 1970, since nanoseconds in 64 bits
 * end in the year 2262. Not thread-safe.
 */
interface Entries {

    /** Takes one event after the other. */
    @FunctionalInterface
    interface Taker {
        void take(long micros, long place);
    }

    /** Hands over all events in their order. */
    void forEach(Taker taker);
}
