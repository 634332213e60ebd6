package siemload.database.mongodb;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.channel.Channel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import siemload.database.EmbeddedServer;
import siemload.database.ServerAddress;

/**
 * Stand-ins that are a replica set: what is written at the first, the others do after it, at once, late, or when they are let. They
 * tell of themselves, take no writes, and keep a log by numbers as members of a set do. Thread-safe.
 */
public final class StandInSet implements AutoCloseable {
    private static final Set<String> WRITES = Set.of(
            "insert",
            "update",
            "delete",
            "findandmodify",
            "create",
            "drop",
            "createIndexes",
            "dropIndexes",
            "renameCollection");
    private static final int NOT_WRITABLE_PRIMARY = 10_107;
    private static final long SECOND = 1L << 32;

    private final String name;
    private final List<Member> members = new ArrayList<>();
    private final List<EmbeddedServer> servers = new ArrayList<>();
    private final ScheduledExecutorService applying = Executors.newSingleThreadScheduledExecutor();
    private long log = (1_000_000_000L << 32) + 1;

    private StandInSet(String name) {
        this.name = name;
    }

    /** A primary, and so many secondaries. */
    public static StandInSet of(String name, int secondaries) {
        StandInSet set = new StandInSet(name);
        for (int i = 0; i <= secondaries; i++) {
            Member member = set.new Member(i == 0 ? State.PRIMARY : State.SECONDARY);
            set.members.add(member);
            set.servers.add(MongodbTestServer.standIn(member));
        }
        return set;
    }

    /** What a member says that it is. */
    enum State {
        PRIMARY,
        SECONDARY,
        RECOVERING
    }

    /** The url of a member without a database: the primary is 0. */
    public ServerAddress address(int member) {
        return servers.get(member).address();
    }

    /** From now on a member does late what is written. */
    public void delay(int member, Duration by) {
        members.get(member).behind = by;
    }

    /** From now on a member does nothing of what is written. */
    void pause(int member) {
        members.get(member).pause();
    }

    /** Lets it do all that it has missed, and whatever comes. */
    void resume(int member) {
        members.get(member).resume();
    }

    /** From now on a member says to be something else. */
    void say(int member, State state) {
        members.get(member).state = state;
    }

    /** From now on a member says to have others beside it. */
    void say(int member, List<String> hosts) {
        members.get(member).hosts = List.copyOf(hosts);
    }

    /** With what read preferences a member was searched. */
    Set<String> readPreferences(int member) {
        return Set.copyOf(members.get(member).preferences);
    }

    /** What a parameter of a member is set to. */
    Object parameter(int member, String parameter) {
        return members.get(member).parameter(parameter);
    }

    private List<String> hosts() {
        return servers.stream().map(StandInSet::host).toList();
    }

    private static String host(EmbeddedServer server) {
        return server.address().url().replace("mongodb://", "").replaceAll("/.*", "");
    }

    @Override
    public void close() {
        applying.shutdownNow();
        servers.forEach(EmbeddedServer::close);
    }

    private static boolean writes(Document command) {
        if (command.get("pipeline") instanceof Collection<?> stages) {
            return stages.stream()
                    .anyMatch(stage ->
                            ((Document) stage).containsKey("$out") || ((Document) stage).containsKey("$merge"));
        }
        return WRITES.contains(command.keySet().iterator().next());
    }

    /** One operation of the log. */
    private record Operation(long place, MongoMessage command) {}

    private final class Member extends StandInBackend {
        private final Set<String> preferences = ConcurrentHashMap.newKeySet();
        private final Deque<Operation> missed = new ArrayDeque<>();
        private volatile State state;
        private volatile List<String> hosts = List.of();
        private volatile Duration behind = Duration.ZERO;
        private volatile long applied = log;
        private boolean paused;

        Member(State state) {
            super(6, Map.of("authenticatedUsers", List.of()));
            this.state = state;
        }

        /** In which the driver recognizes what kind of server it talks to. */
        @Override
        public Document handleCommand(Channel channel, String database, String command, Document query) {
            Document answer = super.handleCommand(channel, database, command, query);
            if (command.equalsIgnoreCase("ismaster")) {
                answer.putAll(member());
                answer.put("ismaster", state == State.PRIMARY);
            }
            return answer;
        }

        @Override
        Document member() {
            Document last = new Document("ts", new BsonTimestamp(applied)).append("t", 1L);
            return new Document("setName", name)
                    .append("me", hosts().get(members.indexOf(this)))
                    .append("hosts", hosts.isEmpty() ? hosts() : hosts)
                    .append("isWritablePrimary", state == State.PRIMARY)
                    .append("secondary", state == State.SECONDARY)
                    .append(
                            "lastWrite",
                            new Document("opTime", last)
                                    .append("lastWriteDate", Instant.ofEpochSecond(applied / SECOND))
                                    .append("majorityOpTime", last));
        }

        @Override
        public Document handleMessage(MongoMessage message) {
            Document command = message.getDocument();
            if (!writes(command)) {
                if (command.get("$readPreference") instanceof Document preference) {
                    preferences.add(command.keySet().iterator().next() + " " + preference.get("mode"));
                }
                return super.handleMessage(message);
            }
            if (this != members.get(0)) {
                throw new MongoServerError(NOT_WRITABLE_PRIMARY, "NotWritablePrimary", "not primary");
            }
            synchronized (StandInSet.this) {
                Document answer = super.handleMessage(message);
                log += SECOND;
                applied = log;
                Operation operation = new Operation(log, message);
                members.stream().skip(1).forEach(member -> member.follow(operation));
                return answer;
            }
        }

        private void follow(Operation operation) {
            if (behind.isZero()) {
                apply(operation);
            } else {
                var unused = applying.schedule(() -> apply(operation), behind.toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        private synchronized void apply(Operation operation) {
            if (paused) {
                missed.addLast(operation);
                return;
            }
            Document unused = super.handleMessage(operation.command());
            applied = operation.place();
        }

        synchronized void pause() {
            paused = true;
        }

        synchronized void resume() {
            paused = false;
            while (!missed.isEmpty()) {
                apply(missed.removeFirst());
            }
        }
    }
}
