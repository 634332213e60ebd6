package siemload.database.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import siemload.database.Replication;
import siemload.database.ReplicationReading;

/**
 * How far the secondaries of a replica set are behind its primary, by the times of the last operations that they have applied, which
 * are precise to a second. A user needs the role clusterMonitor.
 *
 * @param client is closed with this
 */
record MongodbReplication(MongoClient client, Duration timeout) implements Replication {
    private static final int PRIMARY = 1;
    private static final int SECONDARY = 2;

    @Override
    public ReplicationReading read() {
        return MongodbErrors.answering(timeout, () -> {
            try {
                return reading(client.getDatabase("admin").runCommand(new Document("replSetGetStatus", 1)));
            } catch (MongoCommandException refused) {
                return ReplicationReading.untold("replSetGetStatus is refused (role clusterMonitor): "
                        + Optional.ofNullable(refused.getErrorMessage()).orElse("no reason given"));
            }
        });
    }

    /** From the answer of {@code replSetGetStatus}: of a secondary that was asked its own, otherwise of all. */
    static ReplicationReading reading(Document status) {
        List<Document> members = status.getList("members", Document.class, List.of());
        Optional<Date> primary = members.stream()
                .filter(member -> state(member) == PRIMARY)
                .map(member -> member.getDate("optimeDate"))
                .findFirst();
        if (primary.isEmpty()) {
            return ReplicationReading.untold("the replica set has no primary");
        }
        List<Document> secondaries =
                members.stream().filter(member -> state(member) == SECONDARY).toList();
        List<Document> own = secondaries.stream()
                .filter(member -> member.getBoolean("self", false))
                .toList();
        List<Document> told = own.isEmpty() ? secondaries : own;
        return told.stream()
                .map(member -> behind(member, primary.orElseThrow()))
                .max(Duration::compareTo)
                .map(slowest -> ReplicationReading.of(told.size(), slowest))
                .orElseGet(
                        () -> ReplicationReading.untold("no standby is connected (the replica set has no secondary)"));
    }

    private static int state(Document member) {
        return member.get("state") instanceof Number state ? state.intValue() : 0;
    }

    private static Duration behind(Document member, Date primary) {
        Duration behind = Duration.between(member.getDate("optimeDate").toInstant(), primary.toInstant());
        return behind.isNegative() ? Duration.ZERO : behind;
    }

    @Override
    public void close() {
        client.close();
    }
}
