package siemload.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.database.provision.ProvidedServer;
import siemload.measure.monitor.DatabaseProcesses;

/** Where the processes of a run's server are. */
final class ServerHost {
    /** The host of {@code //user@host:port/...}, of Oracle's long form, and of its {@code @host:port:SID}; the first of several. */
    private static final Pattern HOST = Pattern.compile(
            "(?<!/)//(?!/)(?:[^/?@]*@)?(?<url>\\[[^\\]]+\\]|[^/?:,]+)|\\(\\s*HOST\\s*=\\s*(?<descriptor>[^)\\s]+)\\s*\\)"
                    + "|^jdbc:oracle:[^@]*@(?!tcps?://)(?<short>\\[[^\\]]+\\]|[^/?:,(]+)[:/]",
            Pattern.CASE_INSENSITIVE);

    private ServerHost() {}

    /** @param names how the names of such a server's processes begin */
    static DatabaseProcesses processes(ProvidedServer server, List<String> names) {
        if (server.process().get().isPresent()) {
            return new DatabaseProcesses.Tree(server.process());
        }
        if (names.isEmpty()) {
            return new DatabaseProcesses.Here();
        }
        return isHere(server.address().url()) ? new DatabaseProcesses.Named(names) : new DatabaseProcesses.Elsewhere();
    }

    /** Whether a url leads to this machine; one without a host does, but for Oracle, where a file elsewhere says the host. */
    static boolean isHere(String url) {
        Matcher host = HOST.matcher(url);
        if (!host.find()) {
            return !url.startsWith("jdbc:oracle:");
        }
        String name = Stream.of("url", "descriptor", "short")
                .map(host::group)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
        try {
            InetAddress address = InetAddress.getByName(name.replaceAll("[\\[\\]]", ""));
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (IOException unknown) {
            return false;
        }
    }
}
