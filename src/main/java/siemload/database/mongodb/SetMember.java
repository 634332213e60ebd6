package siemload.database.mongodb;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonTimestamp;
import org.bson.Document;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;

/**
 * What a server tells of itself as a member of a replica set, which takes no right. Immutable.
 *
 * @param hello its answer to the command of this name
 */
record SetMember(Document hello) {
    private static final List<String> MEMBERS = List.of("hosts", "passives", "arbiters");

    /** Which of the operations in its log: all that it has, or those that most members of the set have. */
    enum Operations {
        APPLIED("opTime"),
        OF_MAJORITY("majorityOpTime");

        private final String key;

        Operations(String key) {
            this.key = key;
        }
    }

    /** Asks. @throws com.mongodb.MongoException if it does not answer */
    static SetMember ask(MongoClient client) {
        return new SetMember(client.getDatabase("admin").runCommand(new Document("hello", 1)));
    }

    boolean isRouter() {
        return "isdbgrid".equals(hello.getString("msg"));
    }

    /** The name of its set; empty where it is of none. */
    Optional<String> set() {
        return Optional.ofNullable(hello.getString("setName"));
    }

    /** Its name among the members. */
    String name() {
        return hello.get("me", "");
    }

    boolean isPrimary() {
        return hello.getBoolean("isWritablePrimary", false);
    }

    boolean isSecondary() {
        return hello.getBoolean("secondary", false);
    }

    /** Whether it counts another one among the members of its set; those that are hidden it does not tell of. */
    boolean knows(SetMember other) {
        return MEMBERS.stream()
                .flatMap(kind -> hello.getList(kind, String.class, List.of()).stream())
                .anyMatch(other.name()::equals);
    }

    /** Of what kind it is, for people. */
    String role() {
        Stream<String> kinds = Stream.of("hidden", "passive").filter(kind -> hello.getBoolean(kind, false));
        String delay = hello.get("secondaryDelaySecs") instanceof Number seconds && seconds.longValue() > 0
                ? ", kept " + seconds.longValue() + " s late"
                : "";
        return String.join(" ", Stream.concat(kinds, Stream.of("secondary")).toList()) + delay;
    }

    /** How far its last operation is behind that of another one, in whole seconds; empty where one of both tells of none. */
    Optional<Duration> behind(SetMember other) {
        return lastWrite(other)
                .flatMap(late -> lastWrite(this).map(own -> {
                    Duration behind = Duration.between(own.toInstant(), late.toInstant());
                    return behind.isNegative() ? Duration.ZERO : behind;
                }));
    }

    private static Optional<Date> lastWrite(SetMember member) {
        return Optional.ofNullable(member.hello.get("lastWrite", Document.class))
                .map(write -> write.getDate("lastWriteDate"));
    }

    /**
     * The place of its last operation in the log of the set: the seconds since 1970, and which one it was in its second, as the upper
     * and the lower half of the number.
     *
     * @throws SearchException if it tells of none
     */
    long position(Operations which) {
        Document last = hello.get("lastWrite", new Document());
        if (last.get(which.key, new Document()).get("ts") instanceof BsonTimestamp timestamp) {
            return timestamp.getValue();
        }
        throw new SearchException(Kind.OTHER, "", "hello tells no lastWrite." + which.key);
    }
}
