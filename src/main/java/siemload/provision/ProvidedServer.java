package siemload.provision;

import siemload.target.Provision;
import siemload.target.ServerAddress;

/**
 * A server that is ready for a run. Closing gives it back: a server of our own stops. Thread-safe.
 *
 * @param provision where it comes from
 * @param address where it listens, and who asks
 * @param release what closing does
 */
public record ProvidedServer(Provision provision, ServerAddress address, Runnable release) implements AutoCloseable {

    @Override
    public void close() {
        release.run();
    }
}
