package siemload.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.monitor.DatabaseProcesses;
import siemload.provision.ProvidedServer;

/** Where the processes of a run's server are. */
final class ServerPlace {
    /** The host of {@code //user:password@host:port/...}, or that of Oracle's long form; the first of several. */
    private static final Pattern HOST =
            Pattern.compile("//(?:[^/?@]*@)?(\\[[^\\]]+\\]|[^/?:,]+)|\\(HOST=([^)]+)\\)", Pattern.CASE_INSENSITIVE);

    private ServerPlace() {}

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

    /** Whether a url leads to this machine; one without a host does. */
    static boolean isHere(String url) {
        Matcher host = HOST.matcher(url);
        if (!host.find()) {
            return true;
        }
        String name = host.group(1) == null ? host.group(2) : host.group(1);
        try {
            InetAddress address = InetAddress.getByName(name.replaceAll("[\\[\\]]", ""));
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (IOException unknown) {
            return false;
        }
    }
}
