package siemload.results.live;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names by which the live view is called. A page of somebody else's may have its own name lead here, and would then read
 * what this one shows; but the browser says by which name it came. Immutable.
 *
 * @param names in lower case, without ports; addresses of IPv6 in brackets
 */
record AllowedHosts(Set<String> names) {

    AllowedHosts {
        names = Set.copyOf(names);
    }

    /** This machine's own names, as far as a server at this address is reached by them. */
    static AllowedHosts of(InetSocketAddress bound) throws SocketException {
        Set<String> names = new TreeSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
        names.add(bound.getHostString().toLowerCase(Locale.ROOT));
        names.add(literal(bound.getAddress()));
        if (bound.getAddress().isAnyLocalAddress()) {
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .forEach(address -> names.add(literal(address)));
            names.addAll(namesOfThisMachine());
        }
        return new AllowedHosts(names);
    }

    private static Set<String> namesOfThisMachine() {
        try {
            InetAddress own = InetAddress.getLocalHost();
            return Set.of(own.getHostName().toLowerCase(Locale.ROOT));
        } catch (UnknownHostException nameless) {
            return Set.of();
        }
    }

    private static String literal(InetAddress address) {
        String text = address.getHostAddress().replaceFirst("%.*", "");
        return address instanceof Inet6Address ? "[" + text.replaceFirst("^0:0:0:0:0:0:0:1$", "::1") + "]" : text;
    }

    /** @param host a request's header, perhaps with a port; empty where there is none */
    boolean contains(String host) {
        return names.contains(host.toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", ""));
    }
}
