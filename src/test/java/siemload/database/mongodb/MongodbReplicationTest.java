package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import siemload.database.ReplicationReading;

/** The answers have the form of the server's manual. */
class MongodbReplicationTest {
    @Test
    void theSlowestSecondaryCounts() {
        ReplicationReading reading = reading("""
                {"members": [
                  {"state": 2, "optimeDate": {"$date": "2026-01-01T00:00:07Z"}},
                  {"state": 1, "self": true, "optimeDate": {"$date": "2026-01-01T00:00:10Z"}},
                  {"state": 2, "optimeDate": {"$date": "2026-01-01T00:00:02Z"}},
                  {"state": 8, "optimeDate": {"$date": "1970-01-01T00:00:00Z"}}]}""");
        assertThat(reading).isEqualTo(ReplicationReading.of(2, Duration.ofSeconds(8)));
    }

    @Test
    void aSecondaryThatIsAskedTellsItsOwn() {
        ReplicationReading reading = reading("""
                {"members": [
                  {"state": 2, "optimeDate": {"$date": "2026-01-01T00:00:02Z"}},
                  {"state": 2, "self": true, "optimeDate": {"$date": "2026-01-01T00:00:11Z"}},
                  {"state": 1, "optimeDate": {"$date": "2026-01-01T00:00:10Z"}}]}""");
        assertThat(reading).isEqualTo(ReplicationReading.of(1, Duration.ZERO));
    }

    @Test
    void withoutPrimaryOrSecondaryNothingIsTold() {
        assertThat(reading("{\"members\": [{\"state\": 2}]}").untold()).hasValue("the replica set has no primary");
        assertThat(reading("{\"members\": [{\"state\": 1, \"optimeDate\": {\"$date\": \"2026-01-01T00:00:10Z\"}}]}")
                        .untold())
                .hasValue("no standby is connected (the replica set has no secondary)");
    }

    private static ReplicationReading reading(String status) {
        return MongodbReplication.reading(Document.parse(status));
    }
}
