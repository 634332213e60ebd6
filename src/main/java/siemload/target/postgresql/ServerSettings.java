package siemload.target.postgresql;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;

/** The configuration of the embedded server: what an expert would set on a machine that it shares with the load. */
final class ServerSettings {
    private static final int SERVER_CONNECTIONS = 10;
    private static final long MEGABYTE = 1 << 20;

    private ServerSettings() {}

    /** The text of the configuration file for this port and this many sessions. */
    static String of(int port, int sessions) {
        long memory = megabytesOfMemory();
        return SqlTemplate.filled(
                "server/embedded.conf",
                Map.of(
                        "port", Integer.toString(port),
                        "max_connections", Integer.toString(sessions + SERVER_CONNECTIONS),
                        "shared_buffers", between(128, memory / 4, 4_096),
                        "effective_cache_size", between(128, memory / 2, Integer.MAX_VALUE),
                        "maintenance_work_mem", between(64, memory / 16, 1_024),
                        "work_mem", between(4, memory / 256, 32)));
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
