package siemload.dataset;

/**
 * When each of an endless row of captured events came, in microseconds after the first one. The gaps between them are those of
 * the recording, which begins again after its last event. Thread-safe.
 */
public interface CapturedTimes {

    /** When the event with this number came, from 0; below 0 for events before, as if the recording had been repeated then. */
    double micros(long number);

    /** How many events had come by this time, the first of them at 0 microseconds; negative for times before it. */
    long countUntil(double micros);
}
