package siemload.database.provision;

import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import java.util.List;
import siemload.database.ContainerServer;

/** What a container may use, and what its processes may do. Stateless. */
final class Confinement {
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
