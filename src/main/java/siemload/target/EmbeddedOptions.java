package siemload.target;

import java.nio.file.Path;

/**
 * How an embedded server is started. Immutable.
 *
 * @param directory where it keeps its data between runs; created if missing
 * @param port the TCP port on the loopback interface, or 0 for any free one
 * @param sessions how many connections it must accept at once
 */
public record EmbeddedOptions(Path directory, int port, int sessions) {}
