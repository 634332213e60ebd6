package siemload.database.mongodb;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import de.bwaldvogel.mongo.MongoServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.TestCertificates;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.provision.RealServer;
import siemload.query.Paging;

/**
 * The server of the tests: the MongoDB that {@code SIEMLOAD_TEST_MONGODB_URL} names (with
 * {@code SIEMLOAD_TEST_MONGODB_USER} and {@code SIEMLOAD_TEST_MONGODB_PASSWORD} if it asks for them), or else a stand-in
 * inside the tests' own process. The stand-in knows no indexes, plans, hints or time limits.
 */
public final class MongodbTestServer {

    private MongodbTestServer() {}

    static ContractSubject subject(IndexSet indexes, Hint hint) {
        return new ContractSubject(new MongodbPlugin(), variant(indexes, hint), MongodbTestServer::start);
    }

    /** On MongoDB itself; skipped where there is none. */
    static ContractSubject realSubject(IndexSet indexes, Hint hint) {
        return new ContractSubject(
                new MongodbPlugin(), variant(indexes, hint), () -> RealServer.of(new MongodbPlugin()));
    }

    static Variant variant(IndexSet indexes, Hint hint) {
        return new Variant("idea", indexes, hint, Paging.OFFSET);
    }

    static EmbeddedServer start() {
        return RealServer.named("mongodb").orElseGet(() -> standIn(6));
    }

    static Target connect(EmbeddedServer server) {
        return connect(server.address(), Duration.ofSeconds(20));
    }

    static Target connect(ServerAddress address, Duration timeout) {
        TargetOptions options = new TargetOptions(variant(IndexSet.NATIVE, Hint.NONE), timeout, 8);
        return new MongodbPlugin().connect(address, options);
    }

    /** A stand-in inside the tests' own process. */
    public static EmbeddedServer standIn(int majorVersion) {
        return standIn(new StandInBackend(majorVersion));
    }

    /** The same over a backend that a test talks to. */
    static EmbeddedServer standIn(StandInBackend backend) {
        return started(silent(backend));
    }

    /** It takes nobody who does not encrypt. */
    static EmbeddedServer encryptedStandIn() {
        MongoServer server = silent(new StandInBackend(6));
        server.enableSsl(
                TestCertificates.get().key(), null, TestCertificates.get().certificates());
        return started(server);
    }

    /** The names of the collections in siemload's database that begin so. */
    public static List<String> collections(EmbeddedServer server, String start) {
        try (MongoClient client = MongoClients.create(server.address().url())) {
            return client.getDatabase("siemload").listCollectionNames().into(new ArrayList<>()).stream()
                    .filter(name -> name.startsWith(start))
                    .toList();
        }
    }

    private static MongoServer silent(StandInBackend backend) {
        // It reports every index that it does not build and every command that it does not know.
        ((Logger) LoggerFactory.getLogger("de.bwaldvogel.mongo")).setLevel(Level.OFF);
        return new MongoServer(backend);
    }

    private static EmbeddedServer started(MongoServer server) {
        return RealServer.server(new ServerAddress(server.bindAndGetConnectionString(), "", ""), server::shutdownNow);
    }
}
