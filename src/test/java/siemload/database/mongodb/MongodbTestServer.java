package siemload.database.mongodb;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import de.bwaldvogel.mongo.MongoServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.slf4j.LoggerFactory;
import siemload.database.EmbeddedServer;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.ServerAddress;
import siemload.database.Target.TargetOptions;
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
    private static final Document NOBODY = new Document("authenticatedUsers", List.of());
    private static final String URL_VARIABLE = "SIEMLOAD_TEST_MONGODB_URL";

    private MongodbTestServer() {}

    static ContractSubject subject(IndexSet indexes, Hint hint) {
        return new ContractSubject(new MongodbPlugin(), variant(indexes, hint), MongodbTestServer::start);
    }

    /** On MongoDB itself; skipped where there is none. */
    static ContractSubject realSubject(IndexSet indexes, Hint hint) {
        return new ContractSubject(
                new MongodbPlugin(), variant(indexes, hint), () -> RealServer.of(new MongodbPlugin()));
    }

    static TargetOptions options(IndexSet indexes, Duration timeout) {
        return new TargetOptions(variant(indexes, Hint.NONE), timeout, 8);
    }

    static Variant variant(IndexSet indexes, Hint hint) {
        return new Variant("idea", indexes, hint, Paging.OFFSET);
    }

    static EmbeddedServer start() {
        Optional<String> url = environment(URL_VARIABLE);
        if (url.isPresent()) {
            String user = environment("SIEMLOAD_TEST_MONGODB_USER").orElse("");
            String password = environment("SIEMLOAD_TEST_MONGODB_PASSWORD").orElse("");
            return RealServer.server(new ServerAddress(url.orElseThrow(), user, password), () -> {});
        }
        return standIn(6);
    }

    /** A stand-in inside the tests' own process. */
    public static EmbeddedServer standIn(int majorVersion) {
        return standIn(majorVersion, NOBODY);
    }

    /**
     * The same.
     *
     * @param user what it says of whoever is connected
     */
    static EmbeddedServer standIn(int majorVersion, Document user) {
        return standIn(new StandInBackend(majorVersion, user));
    }

    /** The same over a backend that a test talks to. */
    static EmbeddedServer standIn(StandInBackend backend) {
        return started(silent(backend));
    }

    /** It takes nobody who does not encrypt. */
    static EmbeddedServer encryptedStandIn(String certificate) {
        MongoServer server = silent(new StandInBackend(6, NOBODY));
        TestCertificates all = TestCertificates.get();
        server.enableSsl(all.privateKey(certificate), null, all.certificates(certificate));
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

    private static Optional<String> environment(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
    }
}
