package siemload.database.postgresql.server;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.database.ResourceFile;
import siemload.database.sql.SqlStatement;

/** The configuration of a server of our own: what an expert would set on a machine that it shares with the load. */
final class PostgresqlServerSettings {
    private static final int SERVER_CONNECTIONS = 10;
    private static final long MEGABYTE = 1 << 20;

    /** A container's server listens as its image wants it to, and has those libraries that the image knows it needs. */
    private static final Set<String> OF_IMAGES =
            Set.of("listen_addresses", "port", "unix_socket_directories", "shared_preload_libraries");

    private static final Pattern LINE = Pattern.compile("(?m)^(\\w+) = '?([^'\\n]*)'?$");

    private PostgresqlServerSettings() {}

    /** The text of the embedded server's configuration file for this port and this many sessions. */
    static String of(int port, int sessions) {
        return filled(port, sessions, megabytesOfMemory());
    }

    /** The settings of a server in a container with this memory, as arguments, but for what its image settles. */
    static List<String> arguments(long memoryBytes, int sessions) {
        return LINE.matcher(filled(0, sessions, memoryBytes / MEGABYTE))
                .results()
                .filter(line -> !OF_IMAGES.contains(line.group(1)))
                .flatMap(line -> Stream.of("-c", line.group(1) + "=" + line.group(2)))
                .toList();
    }

    private static String filled(int port, int sessions, long memory) {
        return SqlStatement.fill(
                ResourceFile.text(PostgresqlServerSettings.class, "/siemload/database/postgresql/server/embedded.conf"),
                Map.of(
                        "port", Integer.toString(port),
                        "max_connections", Integer.toString(connections(sessions)),
                        "shared_buffers", between(128, memory / 4, 4_096),
                        "effective_cache_size", between(128, memory / 2, Integer.MAX_VALUE),
                        "maintenance_work_mem", between(64, memory / 16, 1_024),
                        "work_mem", between(4, memory / 256, 32)));
    }

    /** In hundreds, or every number of users, and cursors beside them, would make another server to compare runs on. */
    private static int connections(int sessions) {
        return (sessions + SERVER_CONNECTIONS + 99) / 100 * 100;
    }

    private static String between(long least, long megabytes, long most) {
        return Math.max(least, Math.min(megabytes, most)) + "MB";
    }

    /** The memory of the machine, or of the container. */
    private static long megabytesOfMemory() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return system.getTotalMemorySize() / MEGABYTE;
    }
}
