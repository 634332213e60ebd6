package siemload.database.provision;

import java.util.Map;
import java.util.Optional;

/**
 * Which container a run wants. Immutable.
 *
 * @param image the image in place of the target's own, also with the host of a registry or with a digest
 * @param memoryBytes the limit of its memory
 * @param cpus the limit of its processors
 * @param sessions how many connections the server must accept at once
 * @param parameters the server's own, for this run alone
 */
public record ContainerRequest(
        Optional<String> image, long memoryBytes, double cpus, int sessions, Map<String, String> parameters) {}
