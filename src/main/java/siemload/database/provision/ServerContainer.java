package siemload.database.provision;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import siemload.database.ContainerOptions;
import siemload.database.ContainerServer;
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
    private Optional<ContainerImage> image = Optional.empty();
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
        ContainerImage wanted =
                new ContainerImage(request.image().orElse(server.image()), server.image(), found.client(), listener);
        use(found, wanted);
        try {
            Leftovers.remove(found.client(), listener);
            warnOfOpenPort(found.host());
            String imageId = wanted.provide();
            listener.status("starting " + wanted.name());
            create(found, wanted.name());
            ServerAddress address = server.at(found.host(), mappedPort(found));
            awaitReady(found, wanted.name(), address);
            requireOpen();
            return new ProvidedServer(
                    Provision.CONTAINER,
                    address,
                    traits(wanted.name(), imageId),
                    OptionalLong::empty,
                    new ContainerCaches(this),
                    () -> "",
                    this::close);
        } catch (DockerException e) {
            throw new TargetException("Docker cannot run " + wanted.name() + ": " + Docker.words(e), e);
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
        image.ifPresent(ContainerImage::close);
        remove();
    }

    private synchronized void use(Docker found, ContainerImage wanted) {
        requireOpen();
        docker = Optional.of(found);
        image = Optional.of(wanted);
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
        labels.putAll(Leftovers.labels());
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
}
