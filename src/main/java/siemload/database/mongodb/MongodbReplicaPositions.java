package siemload.database.mongodb;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.function.Predicate;
import siemload.database.ReplicaPositions;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.mongodb.SetMember.Operations;

/**
 * Where the log of a replica set ends at its primary, and how far a secondary has applied it, by a client of each.
 *
 * @param found which operations searches on the secondary find
 */
record MongodbReplicaPositions(MongoClient primary, MongoClient secondary, Operations found)
        implements ReplicaPositions {
    /** A reading is worth nothing when it comes late. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    static MongodbReplicaPositions open(MongodbConnections primary, MongodbConnections secondary) {
        return new MongodbReplicaPositions(
                primary.openWithin(TIMEOUT),
                secondary.openWithin(TIMEOUT),
                secondary.readsMajority() ? Operations.OF_MAJORITY : Operations.APPLIED);
    }

    @Override
    public long written() {
        return position(primary, SetMember::isPrimary, "the primary", Operations.APPLIED);
    }

    @Override
    public long replayed() {
        return position(secondary, SetMember::isSecondary, "a secondary", found);
    }

    private static long position(MongoClient client, Predicate<SetMember> isStill, String what, Operations operations) {
        SetMember member = MongodbErrors.answering(TIMEOUT, () -> SetMember.ask(client));
        if (!isStill.test(member)) {
            throw new SearchException(Kind.OTHER, "", "it is not " + what + " any more");
        }
        return member.position(operations);
    }

    @Override
    public void close() {
        primary.close();
        secondary.close();
    }
}
