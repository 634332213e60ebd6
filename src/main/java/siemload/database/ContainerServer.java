package siemload.database;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * How a target's server runs in a container. Everything it stores must lie in the container or in a volume that the image
 * declares: both are removed with it. The text form never shows the environment, which holds a password. Immutable.
 *
 * @param image the image unless the user names another, with its tag
 * @param port the TCP port on which the server listens inside the container
 * @param environment what the image is told; the place for {@link ContainerOptions#password()}
 * @param command the arguments of the image's entry point, without secrets: they are stored with the results
 * @param sharedMemoryBytes the size of {@code /dev/shm}, part of the container's memory
 * @param rights what its processes may do beyond those of an ordinary user
 * @param address where the server is, with {@code {host}} and {@code {port}} in its URL for what Docker decides, and who
 *     asks: a user who may do all that a run needs
 * @param probe asks the server for something that only works once it is ready for a run, for instance a login as the
 *     user of the address: not while the image's entry point still creates users or restarts a first, temporary server;
 *     throws a {@link TargetException} until then, within half a minute
 */
public record ContainerServer(
        String image,
        int port,
        Map<String, String> environment,
        List<String> command,
        long sharedMemoryBytes,
        Rights rights,
        ServerAddress address,
        Consumer<ServerAddress> probe) {

    /** What the processes of a container may do beyond those of an ordinary user. */
    public enum Rights {
        /** An entry point makes directories its own and becomes the server's user; nobody gains anything after that. */
        FEW,
        /** Those that Docker gives, for images whose programs gain rights while they run. */
        USUAL
    }

    /** The address at which the server can be reached from here. */
    public ServerAddress at(String host, int mappedPort) {
        String url = address.url().replace("{host}", host).replace("{port}", Integer.toString(mappedPort));
        return new ServerAddress(url, address.user(), address.password());
    }

    @Override
    public String toString() {
        return "ContainerServer[image=" + image + ", port=" + port + ", command=" + command + "]";
    }

    /**
     * What a container that is to run a server gets. The text form never shows the password. Immutable.
     *
     * @param password the administrator's password: letters and digits, 29 of them, a letter first
     * @param memoryBytes the limit of its memory, of which the server should use what an expert would let it use
     * @param cpus the limit of its processors
     * @param sessions how many connections the server must accept at once
     * @param parameters those of the run, by name, of which the server takes what can only be set at its start
     */
    public record ContainerOptions(
            String password, long memoryBytes, double cpus, int sessions, Map<String, String> parameters) {
        /** Beyond the password's first letter; together no longer than any database takes. */
        private static final int DIGITS = 28;

        public ContainerOptions {
            parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
        }

        /** With a password made for this one start. */
        public ContainerOptions(long memoryBytes, double cpus, int sessions, Map<String, String> parameters) {
            this(
                    "s" + UUID.randomUUID().toString().replace("-", "").substring(0, DIGITS),
                    memoryBytes,
                    cpus,
                    sessions,
                    parameters);
        }

        @Override
        public String toString() {
            return "ContainerOptions[memoryBytes=" + memoryBytes + ", cpus=" + cpus + ", sessions=" + sessions
                    + ", parameters=" + parameters + "]";
        }
    }
}
