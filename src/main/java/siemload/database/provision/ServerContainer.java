package siemload.database.provision;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.command.PullImageCmd;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import com.github.dockerjava.api.model.PullResponseItem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;
import siemload.config.DaemonThread;
import siemload.database.ContainerServer;
import siemload.database.ContainerServer.ContainerOptions;
import siemload.database.Pause;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;

/**
 * The server of one run in a container of its own. Closing it from any thread ends its start, whatever that is just
 * doing, and removes the container, unless it is to be kept.
 */
public final class ServerContainer implements AutoCloseable {
    /** Beyond the password's first letter; together no longer than any database takes. */
    private static final int PASSWORD_BYTES = 14;

    private static final int NAME_BYTES = 4;
    /** A large database takes a while to write what it has changed; then Docker kills it. */
    private static final int STOP_SECONDS = 300;

    private static final String LABEL = "siemload";

    private final TargetPlugin plugin;
    private final ContainerRequest request;
    private final Listener listener;
    private final ContainerServer server;
    private final String name;
    private Optional<Docker> docker = Optional.empty();
    private Optional<ResultCallback.Adapter<PullResponseItem>> pull = Optional.empty();
    private boolean created;
    private boolean closed;

    ServerContainer(TargetPlugin plugin, ContainerRequest request, Listener listener) {
        this.plugin = plugin;
        this.request = request;
        this.listener = listener;
        String password = "s" + random(PASSWORD_BYTES);
        this.server = plugin.container(new ContainerOptions(
                        password, request.memoryBytes(), request.cpus(), request.sessions(), request.parameters()))
                .orElseThrow(() -> new UnsupportedOperationException(plugin.id() + " does not run in a container"));
        this.name = "siemload-" + plugin.id() + "-" + random(NAME_BYTES);
    }

    /**
     * Starts the server and returns when it is ready; to be called once.
     *
     * @return the server, whose own closing does nothing more than this container's
     * @throws TargetException if there is no Docker, no image or not enough of anything, or if the server does not start
     */
    public ProvidedServer start() {
        listener.status("looking for Docker");
        Docker found = Docker.find(plugin);
        found.requireRoom(request);
        use(found);
        try {
            warnOfOpenPort(found.host());
            String image = image(request.image().orElse(server.image()));
            String imageId = Objects.requireNonNullElse(
                    found.client().inspectImageCmd(image).exec().getId(), "");
            listener.status("starting " + image);
            create(found, image);
            ServerAddress address = server.at(found.host(), mappedPort(found));
            awaitReady(found, image, address);
            requireOpen();
            return new ProvidedServer(
                    Provision.CONTAINER,
                    address,
                    traits(image, imageId),
                    OptionalLong::empty,
                    new ContainerCaches(this),
                    () -> "",
                    this::close);
        } catch (DockerException e) {
            throw new TargetException("Docker cannot run the server: " + Docker.words(e), e);
        }
    }

    /** Whether the container's files are in the memory of this machine, and not of another one, real or virtual. */
    boolean isOnThisKernel() {
        String kernel = docker.orElseThrow().client().infoCmd().exec().getKernelVersion();
        return ManagementFactory.getOperatingSystemMXBean().getVersion().equals(kernel);
    }

    /**
     * Stops the server and starts it again at the same address with the same data.
     *
     * @param whileStopped is run in between; where it fails the server is started all the same
     * @throws TargetException if it does not stop or start, or Docker publishes its port anew
     */
    void restart(Runnable whileStopped) {
        Docker found = docker.orElseThrow();
        int port = mappedPort(found);
        try {
            found.client().stopContainerCmd(name).withTimeout(STOP_SECONDS).exec();
            try {
                whileStopped.run();
            } finally {
                start(found);
            }
            int portNow = mappedPort(found);
            if (portNow != port) {
                throw new TargetException(
                        "Docker publishes the server at port " + portNow + " after the restart, and no" + " longer at "
                                + port + ": with a Docker on another machine its caches cannot be emptied");
            }
            awaitReady(found, name, server.at(found.host(), port));
        } catch (DockerException e) {
            throw new TargetException("Docker cannot restart " + name + ": " + Docker.words(e), e);
        }
    }

    private synchronized void start(Docker found) {
        requireOpen();
        found.client().startContainerCmd(name).exec();
    }

    private void awaitReady(Docker found, String what, ServerAddress address) {
        new Readiness(found.client(), name, what, listener)
                .await(() -> server.probe().accept(address));
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        endPull();
        remove();
    }

    private synchronized void use(Docker found) {
        requireOpen();
        docker = Optional.of(found);
    }

    /**
     * Sees to it that Docker has an image.
     *
     * @return its full name, with tag or digest
     * @throws TargetException if that is no name of an image, or Docker does not have it and cannot pull it
     */
    private String image(String text) {
        DockerImageName name;
        try {
            DockerImageName written = DockerImageName.parse(text);
            written.assertValid();
            name = ImageNameSubstitutor.instance().apply(written);
        } catch (IllegalArgumentException e) {
            throw new TargetException(
                    "'" + text + "' is no name of an image (write for example -Dimage=" + server.image()
                            + " or -Dimage=registry.example/" + server.image().replaceFirst(":.*", "") + "@sha256:...)",
                    e);
        }
        String full = name.asCanonicalNameString();
        DockerClient client = docker.orElseThrow().client();
        try {
            var unused = client.inspectImageCmd(full).exec();
        } catch (NotFoundException notHere) {
            listener.status("pulling " + full);
            pull(client.pullImageCmd(name.getUnversionedPart()).withTag(name.getVersionPart()), full);
        }
        return full;
    }

    private void pull(PullImageCmd command, String full) {
        try {
            begin(command).awaitCompletion();
        } catch (DockerException | DockerClientException e) {
            throw new TargetException(
                    "the image " + full + " cannot be pulled: " + Docker.words(e) + ". 'docker pull " + full
                            + "' shows the same; log in with 'docker login' where the registry wants it, or name an"
                            + " image that this machine has or can pull with -Dimage=NAME",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("pulling " + full + " was interrupted", e);
        }
    }

    /** What closing ends. */
    private synchronized ResultCallback.Adapter<PullResponseItem> begin(PullImageCmd command) {
        requireOpen();
        ResultCallback.Adapter<PullResponseItem> begun = command.start();
        pull = Optional.of(begun);
        return begun;
    }

    private void endPull() {
        try {
            if (pull.isPresent()) {
                pull.orElseThrow().close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void create(Docker found, String imageName) {
        requireOpen();
        CreateContainerCmd create = found.client()
                .createContainerCmd(imageName)
                .withName(name)
                .withEnv(server.environment().entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList())
                .withCmd(server.command())
                .withExposedPorts(ExposedPort.tcp(server.port()))
                .withHostConfig(limits(found.host()));
        create.withLabels(labels(found));
        create.exec();
        created = true;
        found.client().startContainerCmd(name).exec();
    }

    private Map<String, String> labels(Docker found) {
        Map<String, String> labels = new HashMap<>(Map.of(LABEL, plugin.id()));
        labels.putAll(found.labelsForRemovalAfterACrash());
        return labels;
    }

    private HostConfig limits(String host) {
        Ports.Binding anyPort = isHere(host) ? freePort() : Ports.Binding.empty();
        return Confinement.of(request, server)
                .withPortBindings(new PortBinding(anyPort, ExposedPort.tcp(server.port())));
    }

    private static boolean isHere(String host) {
        return host.equals("localhost") || host.startsWith("127.");
    }

    /** A way in there that is of that machine alone would be of no use here. */
    private void warnOfOpenPort(String host) {
        if (!isHere(host)) {
            listener.line(
                    "warning: Docker is on another host, " + host + ": it publishes the server's port on all of its"
                            + " interfaces, without TLS; whoever reaches it needs the password, which is new for each run");
        }
    }

    /** One of our own choice: what Docker chooses is another port after each start of the container. */
    private static Ports.Binding freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Ports.Binding.bindIpAndPort("127.0.0.1", socket.getLocalPort());
        } catch (IOException e) {
            throw new TargetException("no port of this machine is free for the container: " + e.getMessage(), e);
        }
    }

    private int mappedPort(Docker found) {
        Ports.Binding[] bindings = found.client()
                .inspectContainerCmd(name)
                .exec()
                .getNetworkSettings()
                .getPorts()
                .getBindings()
                .get(ExposedPort.tcp(server.port()));
        if (bindings == null || bindings.length == 0) {
            throw Readiness.ended(found.client(), name);
        }
        return Integer.parseInt(bindings[0].getHostPortSpec());
    }

    private void remove() {
        if (created) {
            try {
                docker.orElseThrow()
                        .client()
                        .removeContainerCmd(name)
                        .withForce(true)
                        .withRemoveVolumes(true)
                        .exec();
            } catch (NotFoundException gone) {
                created = false;
            }
        }
    }

    private synchronized void requireOpen() {
        if (closed) {
            throw new TargetException("the start of " + name + " was given up");
        }
    }

    private Map<String, String> traits(String imageName, String imageId) {
        return Map.of(
                "image",
                imageName,
                "imageId",
                imageId,
                "memory",
                (request.memoryBytes() >> 20) + "m",
                "cpus",
                String.format(Locale.ROOT, "%s", request.cpus()),
                "sharedMemory",
                (server.sharedMemoryBytes() >> 20) + "m",
                "command",
                server.command().stream().collect(Collectors.joining(" ")));
    }

    private static String random(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** The Docker that Testcontainers finds, which knows its many installations. Immutable and thread-safe. */
    private static final class Docker {
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
                                + " own. " + WITHOUT_WATCHER
                                + "; inside a container, where it asks alpine for the way out,"
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
                throw new TargetException("Docker has " + cpus + " processors, but the container may use "
                        + request.cpus() + "; lower it with -DcontainerCpus=" + cpus);
            }
        }

        /**
         * The labels by which Testcontainers' watching container removes a container after this process was killed. Without
         * that watcher there are none: Testcontainers would then remove the container in a shutdown hook of its own, while
         * an interrupted run still needs the server to write its results.
         */
        Map<String, String> labelsForRemovalAfterACrash() {
            String watcher = "testcontainers-ryuk-" + DockerClientFactory.SESSION_ID;
            if (client.listContainersCmd()
                    .withNameFilter(List.of(watcher))
                    .exec()
                    .isEmpty()) {
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

    /**
     * The caches of a server in a container. Its files belong to Docker, so that the system's cache of them goes only with that
     * of all files.
     */
    private record ContainerCaches(ServerContainer container) implements ServerCaches {

        @Override
        public Optional<String> refusal(Emptied what) {
            if (what == Emptied.SERVER) {
                return Optional.empty();
            }
            return container.isOnThisKernel()
                    ? PageCache.refusalToDropAll()
                    : Optional.of(
                            "Docker runs on another machine, or in a virtual one: its cache of files cannot be emptied"
                                    + " from here; take caches=lukewarm");
        }

        @Override
        public void empty(Emptied what) {
            container.restart(() -> {
                if (what == Emptied.SERVER_AND_SYSTEM) {
                    PageCache.dropAll();
                }
            });
        }
    }

    /** Waits until the server in a container is ready. Used by one thread. */
    private record Readiness(DockerClient client, String container, String image, Listener listener) {
        /** A large database takes minutes to make its first files on a slow disk. */
        private static final Duration PATIENCE = Duration.ofMinutes(10);

        private static final int MILLIS_BETWEEN_PROBES = 200;
        private static final int LOG_SECONDS = 5;
        private static final int LOG_LINES = 8;

        /**
         * Probes again and again.
         *
         * @param probe throws a {@link TargetException} until the server is ready
         * @throws TargetException if the container ends, or is not ready in ten minutes
         */
        void await(Runnable probe) {
            long startNanos = System.nanoTime();
            while (true) {
                requireRunning();
                try {
                    probe.run();
                    return;
                } catch (TargetException notYet) {
                    Duration waited = Duration.ofNanos(System.nanoTime() - startNanos);
                    if (waited.compareTo(PATIENCE) > 0) {
                        throw new TargetException(
                                "the server in " + image + " is not ready after " + PATIENCE.toMinutes() + " minutes: "
                                        + notYet.getMessage() + "\nThe end of its log:\n" + log(client, container),
                                notYet);
                    }
                    listener.status("starting " + image + ": " + waited.toSeconds() + " s");
                    Pause.millis(MILLIS_BETWEEN_PROBES, "waiting for the server in the container");
                }
            }
        }

        /** What to throw for a container that has ended by itself. */
        static TargetException ended(DockerClient client, String container) {
            ContainerState state = client.inspectContainerCmd(container).exec().getState();
            String why = Boolean.TRUE.equals(state.getOOMKilled())
                    ? "needs more memory than it may use (raise it with -DcontainerMemory)"
                    : "ended by itself with exit code " + state.getExitCodeLong();
            return new TargetException(
                    "the server in the container " + why + ". The end of its log:\n" + log(client, container));
        }

        private void requireRunning() {
            ContainerState state = client.inspectContainerCmd(container).exec().getState();
            if (!Boolean.TRUE.equals(state.getRunning())) {
                throw ended(client, container);
            }
        }

        private static String log(DockerClient client, String container) {
            Queue<String> parts = new ConcurrentLinkedQueue<>();
            try {
                client.logContainerCmd(container)
                        .withStdOut(true)
                        .withStdErr(true)
                        .withTail(LOG_LINES)
                        .exec(new ResultCallback.Adapter<Frame>() {
                            @Override
                            public void onNext(Frame frame) {
                                parts.add(new String(frame.getPayload(), StandardCharsets.UTF_8));
                            }
                        })
                        .awaitCompletion(LOG_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (DockerException unreadable) {
                return "  (it cannot be read: " + Docker.words(unreadable) + ")";
            }
            List<String> lines = String.join("", parts)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
            return lines.isEmpty() ? "  (it is empty)" : "  " + String.join("\n  ", lines);
        }
    }

    /** What a container may use, and what its processes may do. Stateless. */
    private static final class Confinement {
        /** For servers with a process, and with one or two threads, for each connection. */
        private static final long PROCESSES = 1_024;

        private static final long PROCESSES_PER_SESSION = 4;

        /** What an entry point needs that starts as root, makes directories its server's and becomes the server's user. */
        private static final Capability[] OF_ENTRY_POINTS = {
            Capability.CHOWN, Capability.DAC_OVERRIDE, Capability.FOWNER, Capability.SETGID, Capability.SETUID
        };

        private Confinement() {}

        static HostConfig of(ContainerRequest request, ContainerServer server) {
            HostConfig limits = HostConfig.newHostConfig()
                    .withMemory(request.memoryBytes())
                    .withMemorySwap(request.memoryBytes())
                    .withNanoCPUs(Math.round(request.cpus() * 1e9))
                    .withPidsLimit(PROCESSES + PROCESSES_PER_SESSION * request.sessions())
                    .withShmSize(server.sharedMemoryBytes());
            return switch (server.rights()) {
                case FEW ->
                    limits.withCapDrop(Capability.ALL)
                            .withCapAdd(OF_ENTRY_POINTS)
                            .withSecurityOpts(List.of("no-new-privileges"));
                case USUAL -> limits;
            };
        }
    }
}
