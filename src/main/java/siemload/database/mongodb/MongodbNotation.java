package siemload.database.mongodb;

import java.util.List;
import siemload.config.DatabaseNotation;
import siemload.config.UrlForm;
import siemload.config.UrlOptions;

/** The connection strings of MongoDB, and its shells. Stateless and thread-safe. */
public final class MongodbNotation implements DatabaseNotation {
    private static final String USER = "(?:[\\w.%+-]+@)?";

    private static final UrlOptions OPTIONS = new UrlOptions("""
            appName authMechanism authSource compressors connectTimeoutMS directConnection gssapiServiceName
            heartbeatFrequencyMS journal loadBalanced localThresholdMS maxConnecting maxIdleTimeMS maxLifeTimeMS maxPoolSize
            maxStalenessSeconds minPoolSize proxyHost proxyPort readConcernLevel readPreference readPreferenceTags replicaSet
            retryReads retryWrites safe serverMonitoringMode serverSelectionTimeoutMS slaveOk socketTimeoutMS srvMaxHosts
            srvServiceName ssl sslInvalidHostNameAllowed timeoutMS tls tlsAllowInvalidHostnames tlsInsecure uuidRepresentation
            w waitQueueTimeoutMS wtimeoutMS zlibCompressionLevel""");

    @Override
    public String target() {
        return "mongodb";
    }

    @Override
    public List<UrlForm> urlForms() {
        return List.of(
                new UrlForm(
                        "mongodb://",
                        USER + UrlForm.SERVERS + "(?:/" + UrlForm.NAME + ")?",
                        OPTIONS,
                        "mongodb://host:port/database?tls=true"),
                new UrlForm(
                        "mongodb+srv://",
                        USER + "[\\w.-]+(?:/" + UrlForm.NAME + ")?",
                        OPTIONS,
                        "mongodb+srv://host/database"));
    }

    @Override
    public List<String> programsWithPasswords() {
        return List.of("mongo", "mongosh");
    }
}
