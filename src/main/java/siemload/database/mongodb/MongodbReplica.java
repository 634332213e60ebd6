package siemload.database.mongodb;

import com.mongodb.client.MongoClient;
import java.util.Optional;
import siemload.database.ReplicaPositions;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.mongodb.SetMember.Operations;
import siemload.database.registry.Registry;
import siemload.database.server.ServerReplica;

/** A secondary of the replica set of a MongoDB server. */
final class MongodbReplica extends ServerReplica {
    private static final int SECONDS_FROM_BIT = 32;

    private final MongodbServer primary;
    private final MongodbConnections own;
    private final MongoClient client;
    private final String about;

    private MongodbReplica(
            Registry registry, MongodbServer primary, MongodbConnections own, MongoClient client, String about) {
        super(
                registry,
                name -> primary.tables(client, name),
                copy -> new MongodbStore(own, copy, client, primary.variant()));
        this.primary = primary;
        this.own = own;
        this.client = client;
        this.about = about;
    }

    /**
     * Connects to it.
     *
     * @param registry of the primary
     * @param address of the secondary
     * @param sessions how many are open there at once at most
     * @throws TargetException if it cannot be reached, or is no secondary of that server
     */
    static MongodbReplica connect(Registry registry, MongodbServer primary, ServerAddress address, int sessions) {
        MongodbConnections own = primary.connections().atReplica(address, sessions);
        return own.connect(client -> {
            String unused = MongodbServer.version(client, own);
            String about = require(primary, own, client);
            return new MongodbReplica(registry, primary, own, client, about);
        });
    }

    /** What it is, where it is a secondary of that primary. */
    private static String require(MongodbServer primary, MongodbConnections own, MongoClient client) {
        requireNoParameters(primary, own);
        SetMember followed = asked(primary);
        requirePrimary(followed, primary.place());
        SetMember replica = SetMember.ask(client);
        String place = "MongoDB at " + own.where();
        foreign(replica, followed).ifPresent(why -> {
            throw new TargetException(
                    place + " is no replica of " + primary.connections().where() + ": it is " + why);
        });
        if (replica.isPrimary()) {
            throw new TargetException(
                    place + " is no replica: it takes writes itself (leave it out, or give the url of a secondary)");
        }
        if (!replica.isSecondary()) {
            throw new TargetException(place
                    + " answers no searches: it is no secondary now (rs.status() tells whether it is starting, recovering"
                    + " or an arbiter)");
        }
        return replica.role() + " of the replica set " + replica.set().orElse("") + ", whose primary is "
                + followed.name()
                + replica.behind(followed)
                        .map(behind -> "; its last operation was " + behind.toSeconds() + " s behind")
                        .orElse("");
    }

    private static SetMember asked(MongodbServer primary) {
        return MongodbErrors.trying(
                "ask " + primary.place() + " which replica set it belongs to", () -> SetMember.ask(primary.client()));
    }

    private static void requirePrimary(SetMember member, String place) {
        if (member.isRouter()) {
            throw new TargetException(place
                    + " is a router, which itself chooses who answers (give the url of the primary of a replica set, or"
                    + " leave readUrls out)");
        }
        if (member.set().isEmpty()) {
            throw new TargetException(place + " is of no replica set, so that nothing follows it (leave readUrls out)");
        }
        if (!member.isPrimary()) {
            throw new TargetException(place
                    + " is a secondary itself, so that nothing can be loaded there (give the url of the primary)");
        }
    }

    /** What else it is than of the same set; empty if it is of that. Sets of the same name are told apart by their members. */
    private static Optional<String> foreign(SetMember replica, SetMember followed) {
        if (replica.isRouter()) {
            return Optional.of("a router");
        }
        if (replica.set().isEmpty()) {
            return Optional.of("of no replica set");
        }
        if (!replica.set().equals(followed.set())) {
            return Optional.of("of another replica set (" + replica.set().orElseThrow() + ", not "
                    + followed.set().orElseThrow() + ")");
        }
        return replica.knows(followed)
                ? Optional.empty()
                : Optional.of("of another replica set of the name "
                        + replica.set().orElseThrow() + ", which has no member " + followed.name());
    }

    private static void requireNoParameters(MongodbServer primary, MongodbConnections own) {
        if (!primary.parameters().values().isEmpty()) {
            throw new TargetException("parameters are set on " + primary.place() + ", and not on its replica "
                    + own.where() + " (set them on both yourself, and leave -Dparameters out)");
        }
    }

    @Override
    public String place() {
        return "MongoDB at " + own.where();
    }

    @Override
    public String about() {
        return about;
    }

    @Override
    protected String followed() {
        return primary.connections().where();
    }

    /** Whatever was acknowledged is in the log, and comes to all members. */
    @Override
    protected long mark() {
        return asked(primary).position(Operations.APPLIED);
    }

    @Override
    protected String lack(long there, long end) {
        return "the last " + ((end >>> SECONDS_FROM_BIT) - (there >>> SECONDS_FROM_BIT))
                + " s of the log (look at rs.printSecondaryReplicationInfo(), and for secondaryDelaySecs in rs.conf())";
    }

    @Override
    public ReplicaPositions openPositions() {
        return MongodbReplicaPositions.open(primary.connections(), own);
    }

    @Override
    public void close() {
        client.close();
    }
}
