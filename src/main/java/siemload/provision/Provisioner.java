package siemload.provision;

import siemload.config.Credentials;
import siemload.target.EmbeddedOptions;
import siemload.target.EmbeddedServer;
import siemload.target.Provision;
import siemload.target.ServerAddress;
import siemload.target.TargetPlugin;

/** Gets a server for a run: one of our own, or the one that the user named. Stateless and thread-safe. */
public final class Provisioner {
    private Provisioner() {}

    /**
     * A server on this machine, stopped when the handle is closed.
     *
     * @throws siemload.target.TargetException if it cannot be started
     */
    public static ProvidedServer embedded(TargetPlugin plugin, EmbeddedOptions options) {
        EmbeddedServer server = plugin.startEmbedded(options);
        return new ProvidedServer(Provision.EMBEDDED, server.address(), server::close);
    }

    /** The user's server, left running when the handle is closed. */
    public static ProvidedServer external(String url, Credentials credentials) {
        ServerAddress address = new ServerAddress(
                url, credentials.user().orElse(""), credentials.password().orElse(""));
        return new ProvidedServer(Provision.EXTERNAL, address, () -> {});
    }
}
