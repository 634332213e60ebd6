package siemload.database.mongodb;

import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.time.Instant;
import org.bson.Document;
import siemload.database.ServerClock;

/**
 * The clock of the server, or of the router, that answers: {@code localTime} of {@code hello}, which shows milliseconds.
 *
 * @param admin the administrator's database; its client is closed by whoever opened it
 */
record MongodbClock(MongoDatabase admin, Duration timeout) implements ServerClock {
    private static final Duration RESOLUTION = Duration.ofMillis(1);

    @Override
    public Instant now() {
        return MongodbErrors.answering(
                timeout,
                () -> admin.runCommand(new Document("hello", 1))
                        .getDate("localTime")
                        .toInstant());
    }

    @Override
    public Duration resolution() {
        return RESOLUTION;
    }

    @Override
    public void close() {}
}
