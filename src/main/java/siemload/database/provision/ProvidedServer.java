package siemload.database.provision;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports.Binding;
import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;
import siemload.database.Pause;
import siemload.database.Provision;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.ContainerServer.ContainerOptions;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;

/**
 * A server that is ready for a run. Closing stops the server if siemload has started it. Thread-safe.
 *
 * @param provision where the server comes from
 * @param server the facts known about the server: only the address if siemload did not start it on this machine
 * @param container its container: {@code image}, {@code imageId}, {@code memory}, {@code cpus}, {@code sharedMemory}, {@code command};
 *     empty if the server runs in no container of siemload
 * @param release the action that closing performs
 */
public record ProvidedServer(
        Provision provision, TargetPlugin.EmbeddedServer server, Map<String, String> container, Runnable release)
        implements AutoCloseable {

    /** Receives news about the start of a server. Thread-safe. */
    public interface Listener {

        /** Takes a line of text that stays visible. */
        void line(String text);

        /** Takes a text that is shown until the next one; an empty text clears it. */
        void status(String text);
    }

    public enum Emptied {
        /** The server's own caches, which a restart empties. */
        SERVER,
        /** The server's own caches, and the operating system's cache of the server's files. */
        SERVER_AND_SYSTEM
    }

    public ProvidedServer {
        container = Collections.unmodifiableMap(new TreeMap<>(container));
    }

    /**
     * Starts a server on this machine; closing the result stops the server.
     *
     * @param listener takes remarks for people about the server's start and end
     * @throws TargetException if it cannot be started
     */
    public static ProvidedServer embedded(TargetPlugin plugin, EmbeddedOptions options, Listener listener) {
        TargetPlugin.EmbeddedServer server = plugin.startEmbedded(options);
        server.notes().forEach(listener::line);
        return new ProvidedServer(Provision.EMBEDDED, server, Map.of(), () -> {
            int said = server.notes().size();
            server.close();
            server.notes().stream().skip(said).forEach(listener::line);
        });
    }

    public static ProvidedServer external(ServerAddress address) {
        return new ProvidedServer(Provision.EXTERNAL, () -> address, Map.of(), () -> {});
    }

    public ServerAddress address() {
        return server.address();
    }

    /** Returns why these caches cannot be emptied with this server on this machine, with advice; empty if they can be emptied. */
    public Optional<String> refusal(Emptied what) {
        return switch (provision) {
            case EXTERNAL -> Optional.of("siemload does not restart your server: use caches=hot or asFound");
            case CONTAINER ->
                Optional.of("the caches of a server in a container cannot be emptied: run it embedded, or use"
                        + " caches=hot or asFound");
            case EMBEDDED -> {
                if (server.files().isEmpty()) {
                    yield Optional.of("this target has no caches that could be emptied");
                }
                boolean can = what == Emptied.SERVER || Files.isDirectory(Path.of("/proc/sys/vm"));
                yield can
                        ? Optional.empty()
                        : Optional.of("the system's cache of files can be emptied only on Linux (allowed here:"
                                + " lukewarm, hot)");
            }
        };
    }

    /**
     * Empties caches for which {@link #refusal} is empty, and returns when the server accepts connections again at its old address. All
     * connections break. Used by one thread.
     *
     * @throws TargetException if that fails
     */
    public void empty(Emptied what) {
        server.restart(() -> {
            if (what == Emptied.SERVER_AND_SYSTEM) {
                PageCache.forget(server.files().orElseThrow());
            }
        });
    }

    @Override
    public void close() {
        release.run();
    }

    /**
     * The operating system's cache of files.
     *
     * @see <a href="https://man7.org/linux/man-pages/man2/posix_fadvise.2.html">posix_fadvise(2)</a>
     */
    private static final class PageCache {
        private static final int READ_ONLY = 0;
        private static final int DONT_NEED = 4;

        static {
            Native.register(PageCache.class, "c");
        }

        private static native int open(String path, int flags) throws LastErrorException;

        private static native int fdatasync(int file) throws LastErrorException;

        private static native int posix_fadvise(int file, NativeLong offset, NativeLong length, int advice)
                throws LastErrorException;

        private static native int close(int file) throws LastErrorException;

        /**
         * Makes the operating system drop all files below a directory from its cache. Users may drop their own files from the cache; the
         * files of other programs stay cached.
         */
        static void forget(Path directory) {
            try (Stream<Path> files = Files.walk(directory)) {
                files.filter(Files::isRegularFile).forEach(PageCache::forgetFile);
            } catch (IOException | UncheckedIOException | LastErrorException e) {
                throw new TargetException(
                        "the system's cache of the files in " + directory + " cannot be emptied: " + e, e);
            }
        }

        /** Drops a file from the cache after writing it to disk, since data that are not on disk yet would stay cached. */
        private static void forgetFile(Path path) {
            int file = open(path.toString(), READ_ONLY);
            try {
                fdatasync(file);
                int error = posix_fadvise(file, new NativeLong(0), new NativeLong(0), DONT_NEED);
                if (error != 0) {
                    throw new LastErrorException(error);
                }
            } finally {
                close(file);
            }
        }
    }

    /**
     * The server of one run in its own container. Closing this object from any thread aborts the start and removes the container;
     * Testcontainers removes the rest when the process has ended.
     */
    public static final class ServerContainer implements AutoCloseable {
        private static final Pattern WORDS = Pattern.compile("\"message\":\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
        /** The time limit of a start: on a slow disk, a large database takes minutes to create its first files. */
        private static final Duration PATIENCE = Duration.ofMinutes(10);

        private static final int MILLIS_BETWEEN_PROBES = 200;
        private static final int LOG_LINES = 8;
        /** Enough processes and threads for servers that use a process, or one or two threads, for each connection. */
        private static final long PROCESSES = 1_024;

        private static final long PROCESSES_PER_SESSION = 4;
        /** The capabilities for an entry point that starts as root, changes the owner of directories and switches to the server's user. */
        private static final Capability[] OF_ENTRY_POINTS = {
            Capability.CHOWN, Capability.DAC_OVERRIDE, Capability.FOWNER, Capability.SETGID, Capability.SETUID
        };

        private final TargetPlugin plugin;
        private final String image;
        private final ContainerOptions options;
        private final Listener listener;
        private final TargetPlugin.ContainerServer server;
        private volatile Optional<GenericContainer<?>> started = Optional.empty();
        private volatile boolean closed;

        /**
         * Creates a container without starting it.
         *
         * @param image replaces the target's own image; may have the host of a registry or a digest
         * @param listener takes the progress of the start, which takes long if an image must be pulled
         */
        public ServerContainer(
                TargetPlugin plugin, Optional<String> image, ContainerOptions options, Listener listener) {
            this.plugin = plugin;
            this.options = options;
            this.listener = listener;
            this.server = plugin.container(options)
                    .orElseThrow(() -> new UnsupportedOperationException(plugin.id() + " does not run in a container"));
            this.image = image.orElse(server.image());
        }

        /**
         * Starts the server and returns when it is ready. Called once.
         *
         * @return the server; closing it does the same as closing this container
         * @throws TargetException if there is no Docker, no image or not enough memory or processors, or if the server does not start
         */
        public ProvidedServer start() {
            listener.status("looking for Docker");
            DockerClient client = find();
            String full = pulled(client);
            if (!isHere()) {
                listener.line(
                        "warning: Docker is on another host: it publishes the server's port on all of its interfaces,"
                                + " without TLS; anybody who reaches it needs the password, which is new for each run");
            }
            listener.status("starting " + full);
            GenericContainer<?> container = container();
            started = Optional.of(container);
            try {
                container.start();
                awaitReady(container);
                ServerAddress address = address(container);
                Map<String, String> traits =
                        traits(full, container.getContainerInfo().getImageId());
                return new ProvidedServer(Provision.CONTAINER, () -> address, traits, this::close);
            } catch (ContainerLaunchException | DockerException e) {
                requireOpen();
                throw new TargetException("Docker cannot run the server: " + words(e), e);
            }
        }

        @Override
        public void close() {
            closed = true;
            started.ifPresent(GenericContainer::stop);
        }

        private void requireOpen() {
            if (closed) {
                throw new TargetException("the container was stopped while it was starting");
            }
        }

        /** Finds Docker through Testcontainers, which knows its many installations, and starts its watcher Ryuk unless that is disabled. */
        private DockerClient find() {
            try {
                return DockerClientFactory.instance().client();
            } catch (RuntimeException e) {
                throw new TargetException(
                        "no Docker can be used on this machine: " + words(e)
                                + ". Start Docker, set DOCKER_HOST to its address, or use your own server: -Durl=...;"
                                + " TESTCONTAINERS_RYUK_DISABLED=true disables testcontainers/ryuk, which removes"
                                + " the container if siemload is killed (-Dverbose=true shows what was tried)",
                        e);
            }
        }

        /**
         * Makes sure that Docker has the image: Testcontainers would try for two minutes to pull a missing image, too short for a large
         * image.
         *
         * @return its full name, with tag or digest
         * @throws TargetException if the name is not that of an image, or Docker does not have the image and cannot pull it
         */
        private String pulled(DockerClient client) {
            try {
                DockerImageName.parse(image).assertValid();
                DockerImageName full = ImageNameSubstitutor.instance().apply(DockerImageName.parse(image));
                try {
                    var unused =
                            client.inspectImageCmd(full.asCanonicalNameString()).exec();
                } catch (NotFoundException notHere) {
                    listener.status("pulling " + full);
                    client.pullImageCmd(full.getUnversionedPart())
                            .withTag(full.getVersionPart())
                            .start()
                            .awaitCompletion();
                }
                return full.asCanonicalNameString();
            } catch (IllegalArgumentException | DockerException | DockerClientException e) {
                throw new TargetException(
                        "the image " + image + " cannot be pulled: " + words(e) + ". 'docker pull " + image
                                + "' shows the same error; log in with 'docker login' if the registry requires it, or name"
                                + " an image that this machine has or can pull with -Dimage=NAME, for example "
                                + server.image(),
                        e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TargetException("pulling " + image + " was interrupted", e);
            }
        }

        private GenericContainer<?> container() {
            return new GenericContainer<>(DockerImageName.parse(image))
                    .withImagePullPolicy(pulled -> false)
                    .withEnv(server.environment())
                    .withCommand(server.command().toArray(String[]::new))
                    .withLabel("siemload", plugin.id())
                    .withCreateContainerCmdModifier(this::confine)
                    .withStartupCheckStrategy(new StartupCheckStrategy() {
                        /** Always succeeds: siemload itself notices the end of the container, while its log still exists. */
                        @Override
                        public StartupStatus checkStartupState(DockerClient client, String id) {
                            return StartupStatus.SUCCESSFUL;
                        }
                    });
        }

        /** Sets the container's limits and the capabilities of its processes. */
        private void confine(CreateContainerCmd create) {
            requireOpen();
            ExposedPort port = ExposedPort.tcp(server.port());
            HostConfig limits = HostConfig.newHostConfig()
                    .withMemory(options.memoryBytes())
                    .withMemorySwap(options.memoryBytes())
                    .withNanoCPUs(Math.round(options.cpus() * 1e9))
                    .withPidsLimit(PROCESSES + PROCESSES_PER_SESSION * options.sessions())
                    .withShmSize(server.sharedMemoryBytes())
                    .withPortBindings(new PortBinding(isHere() ? Binding.bindIp("127.0.0.1") : Binding.empty(), port));
            String name = "siemload-" + plugin.id() + "-" + HexFormat.of().toHexDigits(new SecureRandom().nextInt());
            var unused = create.withName(name)
                    .withExposedPorts(port)
                    .withHostConfig(
                            server.gainsRights()
                                    ? limits
                                    : limits.withCapDrop(Capability.ALL)
                                            .withCapAdd(OF_ENTRY_POINTS)
                                            .withSecurityOpts(List.of("no-new-privileges")));
        }

        private static boolean isHere() {
            String host = DockerClientFactory.instance().dockerHostIpAddress();
            return host.equals("localhost") || host.startsWith("127.");
        }

        private ServerAddress address(GenericContainer<?> container) {
            return server.at(container.getHost(), container.getMappedPort(server.port()));
        }

        /** Probes repeatedly. @throws TargetException if the container ends, or is not ready in ten minutes */
        private void awaitReady(GenericContainer<?> container) {
            long startNanos = System.nanoTime();
            while (true) {
                requireRunning(container);
                try {
                    server.probe().accept(address(container));
                    return;
                } catch (TargetException notYet) {
                    Duration waited = Duration.ofNanos(System.nanoTime() - startNanos);
                    if (waited.compareTo(PATIENCE) > 0) {
                        throw new TargetException(
                                "the server in " + image + " is not ready after " + PATIENCE.toMinutes() + " minutes: "
                                        + notYet.getMessage() + "\nThe end of its log:\n" + log(container),
                                notYet);
                    }
                    listener.status("starting " + image + ": " + waited.toSeconds() + " s");
                    Pause.millis(MILLIS_BETWEEN_PROBES, "waiting for the server in the container");
                }
            }
        }

        private void requireRunning(GenericContainer<?> container) {
            requireOpen();
            ContainerState state = container.getCurrentContainerInfo().getState();
            if (!Boolean.TRUE.equals(state.getRunning())) {
                String why = Boolean.TRUE.equals(state.getOOMKilled())
                        ? "needs more memory than it may use (raise the limit with -DcontainerMemory)"
                        : "ended by itself with exit code " + state.getExitCodeLong();
                throw new TargetException(
                        "the server in the container " + why + ". The end of its log:\n" + log(container));
            }
        }

        private static String log(GenericContainer<?> container) {
            List<String> lines =
                    container.getLogs().lines().filter(line -> !line.isBlank()).toList();
            return "  " + String.join("\n  ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
        }

        private Map<String, String> traits(String fullName, String imageId) {
            Map<String, String> traits = new HashMap<>(Map.of("image", fullName, "imageId", imageId));
            traits.put("memory", (options.memoryBytes() >> 20) + "m");
            traits.put("cpus", Double.toString(options.cpus()));
            traits.put("sharedMemory", (server.sharedMemoryBytes() >> 20) + "m");
            traits.put("command", String.join(" ", server.command()));
            return traits;
        }

        /** Docker's message, without those of the exceptions that wrap it. */
        private static String words(Throwable failure) {
            if (failure instanceof ContainerLaunchException && failure.getCause() != null) {
                return words(failure.getCause());
            }
            String message = String.valueOf(failure.getMessage());
            Matcher words = WORDS.matcher(message);
            return (words.find() ? words.group(1).replace("\\\"", "\"") : message).strip();
        }
    }
}
