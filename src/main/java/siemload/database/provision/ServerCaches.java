package siemload.database.provision;

import java.util.Optional;

/** Empties the caches that lie before the data of a server. Used by one thread. */
public interface ServerCaches {

    /** Which caches are emptied. */
    enum Emptied {
        /** The server's own, by starting it anew. */
        SERVER,
        /** That, and what the operating system keeps of the server's files. */
        SERVER_AND_SYSTEM
    }

    /** Why this cannot be had with this server on this machine, and what can be done; empty if it can. */
    Optional<String> refusal(Emptied what);

    /**
     * Empties them; returns when the server accepts connections again, at the same address. All connections break.
     *
     * @throws siemload.database.TargetException if that fails
     */
    void empty(Emptied what);

    /** The caches of a server that cannot be emptied, for this reason. */
    static ServerCaches none(String reason) {
        return new ServerCaches() {
            @Override
            public Optional<String> refusal(Emptied what) {
                return Optional.of(reason);
            }

            @Override
            public void empty(Emptied what) {
                throw new siemload.database.TargetException(reason);
            }
        };
    }
}
