package siemload.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import siemload.database.TargetPlugin;
import siemload.database.provision.ProvidedServer;
import siemload.measure.monitor.DatabaseProcesses;

/** Where the processes of a run's server are. */
final class ServerHost {
    private ServerHost() {}

    /** Where the processes of several servers are. */
    static DatabaseProcesses processes(List<ProvidedServer> servers, TargetPlugin plugin) {
        return DatabaseProcesses.of(
                servers.stream().map(server -> processes(server, plugin)).toList());
    }

    /** Where the processes of a server are, of which it may be known how their names begin. */
    static DatabaseProcesses processes(ProvidedServer server, TargetPlugin plugin) {
        if (server.process().get().isPresent()) {
            return new DatabaseProcesses.Tree(server.process());
        }
        List<String> names = plugin.product().processNames();
        if (names.isEmpty()) {
            return new DatabaseProcesses.Here();
        }
        return isHere(server.address().url(), plugin)
                ? new DatabaseProcesses.Named(names)
                : new DatabaseProcesses.Elsewhere();
    }

    /** Whether a url leads to this machine. */
    static boolean isHere(String url, TargetPlugin plugin) {
        return plugin.host(url).filter(ServerHost::isThisMachine).isPresent();
    }

    private static boolean isThisMachine(String host) {
        try {
            InetAddress address = InetAddress.getByName(host.replaceAll("[\\[\\]]", ""));
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (IOException unknown) {
            return false;
        }
    }
}
