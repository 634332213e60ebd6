package siemload.run;

import java.util.Optional;
import siemload.database.TargetPlugin;
import siemload.database.Transport;
import siemload.database.Transport.Security;

/** What people must know of a connection that others on its way could read or answer. Stateless. */
final class TransportWarning {
    private TransportWarning() {}

    /** Empty where the server is on this machine or was verified. */
    static Optional<String> of(Transport transport, String url, TargetPlugin plugin) {
        if (!transport.isOpenToOthers() || ServerHost.isHere(url, plugin)) {
            return Optional.empty();
        }
        String what = transport.security() == Security.NONE
                ? "is not encrypted: whoever is on the way reads events and searches, and can change answers"
                : "is encrypted, but with whoever answered: the server was not verified, and somebody on the way can"
                        + " stand in its place";
        return Optional.of("warning: the connection to this server on another host " + what + " (give "
                + plugin.product().howToVerify() + "; docs/security.md says more)");
    }
}
