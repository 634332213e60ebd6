package siemload.database.provision;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Info;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.testcontainers.DockerClientFactory;
import siemload.config.DaemonThread;
import siemload.database.Provision;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;

/** The Docker that Testcontainers finds, which knows its many installations. Immutable and thread-safe. */
final class Docker {
    private static final Pattern WORDS = Pattern.compile("\"message\":\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");

    private static final String WATCHER_IMAGE = "testcontainers/ryuk";
    private static final String WITHOUT_WATCHER = "Do without " + WATCHER_IMAGE
            + " by TESTCONTAINERS_RYUK_DISABLED=true, or name a registry that has it by"
            + " TESTCONTAINERS_HUB_IMAGE_NAME_PREFIX=registry.example/";
    private static final int PATIENCE_SECONDS = 60;

    private final DockerClient client;

    private Docker(DockerClient client) {
        this.client = client;
    }

    /**
     * Finds it.
     *
     * @param plugin whose other servers are named where there is no Docker
     * @throws TargetException if there is none
     */
    static Docker find(TargetPlugin plugin) {
        // A thread that nobody waits for longer: Testcontainers tries for minutes to pull the image of its watcher.
        CompletableFuture<DockerClient> client = new CompletableFuture<>();
        DaemonThread.start("docker-finder", () -> find(client));
        try {
            return new Docker(client.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (TimeoutException e) {
            throw new TargetException(
                    "Testcontainers was not ready in " + PATIENCE_SECONDS
                            + " s; perhaps it tries to pull an image of its"
                            + " own. " + WITHOUT_WATCHER + "; inside a container, where it asks alpine for the way out,"
                            + " name the host of published ports by TESTCONTAINERS_HOST_OVERRIDE=localhost",
                    e);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw words(cause).contains(WATCHER_IMAGE) ? noWatcher(words(cause), cause) : noDocker(plugin, cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("looking for Docker was interrupted", e);
        }
    }

    private static void find(CompletableFuture<DockerClient> client) {
        try {
            client.complete(DockerClientFactory.instance().client());
        } catch (RuntimeException | Error e) {
            client.completeExceptionally(e);
        }
    }

    private static TargetException noWatcher(String reason, Throwable cause) {
        return new TargetException(
                "Docker cannot start " + WATCHER_IMAGE + ", which would remove our container if we were killed: "
                        + reason
                        + ". " + WITHOUT_WATCHER,
                cause);
    }

    private static TargetException noDocker(TargetPlugin plugin, Throwable cause) {
        List<Provision> ways = plugin.abilities().provisions();
        return new TargetException(
                "no Docker was found on this machine. Start it, or say where it is by DOCKER_HOST"
                        + (ways.contains(Provision.EMBEDDED)
                                ? "; or run without a container: -Dprovision=embedded"
                                : "")
                        + (ways.contains(Provision.EXTERNAL) ? "; or use a server of your own: -Durl=..." : "")
                        + " (-Dverbose=true shows what was tried)",
                cause);
    }

    DockerClient client() {
        return client;
    }

    /** The host on which Docker publishes ports. */
    String host() {
        return DockerClientFactory.instance().dockerHostIpAddress();
    }

    /** @throws TargetException if Docker does not have what the container may use */
    void requireRoom(ContainerRequest request) {
        Info info = client.infoCmd().exec();
        long memory = Objects.requireNonNullElse(info.getMemTotal(), Long.MAX_VALUE);
        int cpus = Objects.requireNonNullElse(info.getNCPU(), Integer.MAX_VALUE);
        if (request.memoryBytes() > memory) {
            throw new TargetException("Docker has " + (memory >> 20) + " MB of memory, but the container may use "
                    + (request.memoryBytes() >> 20) + " MB; lower it with -DcontainerMemory, for example to "
                    + (memory >> 21) + "m");
        }
        if (request.cpus() > cpus) {
            throw new TargetException("Docker has " + cpus + " processors, but the container may use " + request.cpus()
                    + "; lower it with -DcontainerCpus=" + cpus);
        }
    }

    /**
     * The labels by which Testcontainers' watching container removes a container after this process was killed. Without
     * that watcher there are none: Testcontainers would then remove the container in a shutdown hook of its own, while
     * an interrupted run still needs the server to write its results.
     */
    Map<String, String> labelsForRemovalAfterACrash() {
        String watcher = "testcontainers-ryuk-" + DockerClientFactory.SESSION_ID;
        if (client.listContainersCmd().withNameFilter(List.of(watcher)).exec().isEmpty()) {
            return Map.of();
        }
        Map<String, String> labels = new HashMap<>(DockerClientFactory.DEFAULT_LABELS);
        labels.put(DockerClientFactory.TESTCONTAINERS_SESSION_ID_LABEL, DockerClientFactory.SESSION_ID);
        return labels;
    }

    /** What Docker said, without its wrapping. */
    static String words(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        Matcher words = WORDS.matcher(message);
        return (words.find() ? words.group(1).replace("\\\"", "\"") : message).strip();
    }
}
