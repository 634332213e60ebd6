package siemload.database;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import siemload.query.Search;

/**
 * Another program that measures how long searches take, to hold our own times against: the same statements with the same
 * values, one after the other over one connection to the same store. Used by one thread.
 */
public interface OtherClient {

    /** Its name. */
    String name();

    /** Its version; empty where it is not installed. */
    Optional<String> version();

    /**
     * Asks the searches in turn, again and again, for so long.
     *
     * @param searches first or whole pages, or searches with a summary of the catalogue
     * @param duration whole seconds
     * @return the mean time of each in microseconds, from sending it to its last row
     * @throws TargetException if it is not installed, or fails
     */
    List<Double> meanMicros(List<Search> searches, Duration duration) throws InterruptedException;
}
