package siemload.database.provision;

import java.util.Locale;
import java.util.Optional;
import siemload.database.ServerAddress;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.contract.Required;
import siemload.database.provision.ProvidedServer.Listener;

/** A server for tests that no stand-in will do for: {@code SIEMLOAD_TEST_<TARGET>_URL}, {@code _USER} and {@code _PASSWORD} name it. */
public final class RealServer {
    /** Says nothing of what happens to a server. */
    static final Listener SILENT = new Listener() {
        @Override
        public void line(String text) {}

        @Override
        public void status(String text) {}
    };

    private RealServer() {}

    /** Finds it; without one the tests are skipped, unless {@code -Dtargets.required=<target>} says that they must run. */
    public static EmbeddedServer of(TargetPlugin plugin) {
        Optional<EmbeddedServer> named = named(plugin.id());
        Required.orSkip(
                plugin.id(),
                Optional.of("set " + variable(plugin.id(), "URL")).filter(remedy -> named.isEmpty()));
        return named.orElseThrow();
    }

    /** The one that variables name; nobody ends it. */
    public static Optional<EmbeddedServer> named(String target) {
        String url = environment(target, "URL");
        return url.isEmpty()
                ? Optional.empty()
                : Optional.of(server(
                        new ServerAddress(url, environment(target, "USER"), environment(target, "PASSWORD")),
                        () -> {}));
    }

    /** One that runs already; closing it does what is asked for. */
    public static EmbeddedServer server(ServerAddress address, Runnable release) {
        return new EmbeddedServer() {
            @Override
            public ServerAddress address() {
                return address;
            }

            @Override
            public void close() {
                release.run();
            }
        };
    }

    private static String environment(String target, String what) {
        return System.getenv().getOrDefault(variable(target, what), "");
    }

    private static String variable(String target, String what) {
        return "SIEMLOAD_TEST_" + target.toUpperCase(Locale.ROOT) + "_" + what;
    }
}
