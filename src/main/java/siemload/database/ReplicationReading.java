package siemload.database;

import java.time.Duration;
import java.util.Optional;

/**
 * How far the standbys of a server are behind it at some instant; on a standby, how far it is itself. Immutable.
 *
 * @param standbys how many of them are told of
 * @param slowest how far the one is behind that is furthest
 * @param untold why there is nothing to tell, for people, as a sentence without its end; empty where there is
 */
public record ReplicationReading(int standbys, Duration slowest, Optional<String> untold) {

    /** What is told of so many standbys. */
    public static ReplicationReading of(int standbys, Duration slowest) {
        return new ReplicationReading(standbys, slowest, Optional.empty());
    }

    /** Nothing is told. */
    public static ReplicationReading untold(String why) {
        return new ReplicationReading(0, Duration.ZERO, Optional.of(why));
    }
}
