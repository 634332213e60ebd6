package siemload.database.provision;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import siemload.database.ServerAddress;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.ContainerServer.ContainerOptions;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.contract.Required;
import siemload.database.provision.ProvidedServer.Listener;
import siemload.database.provision.ProvidedServer.ServerContainer;

/**
 * A server for tests that no stand-in will do for: the one that {@code SIEMLOAD_TEST_<TARGET>_URL}, {@code _USER} and
 * {@code _PASSWORD} name, or a container where Docker has the image. Elsewhere the tests are skipped, unless
 * {@code -Dtargets.required=<target>} says that they must run: then the image is pulled.
 */
public final class RealServer {
    private static final long MEMORY = 3L << 30;
    private static final double CPUS = 2;
    private static final int SESSIONS = 20;

    /** Says nothing of what happens to a server. */
    static final Listener SILENT = new Listener() {
        @Override
        public void line(String text) {}

        @Override
        public void status(String text) {}
    };

    private RealServer() {}

    /** Starts or finds it. */
    public static EmbeddedServer of(TargetPlugin plugin) {
        Optional<EmbeddedServer> named = named(plugin.id());
        if (named.isPresent()) {
            return named.orElseThrow();
        }
        ContainerOptions options = new ContainerOptions(MEMORY, CPUS, SESSIONS, Map.of());
        String image = plugin.container(options).orElseThrow().image();
        if (!Required.isRequired(plugin.id())) {
            String remedy = "set " + variable(plugin.id(), "URL") + ", or: docker pull " + image;
            Required.orSkip(plugin.id(), missing(image).map(why -> why + " (" + remedy + ")"));
        }
        ServerContainer container = new ServerContainer(plugin, Optional.empty(), options, SILENT);
        return server(container.start().address(), container::close);
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

    private static Optional<String> missing(String image) {
        try {
            return TestImage.missing(image);
        } catch (IOException e) {
            return Optional.of("Docker cannot be asked: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
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
