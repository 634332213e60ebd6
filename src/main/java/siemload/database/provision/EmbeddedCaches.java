package siemload.database.provision;

import java.nio.file.Path;
import java.util.Optional;
import siemload.database.EmbeddedServer;

/** The caches of a server that the suite started on this machine: its files are known and belong to this user. */
record EmbeddedCaches(EmbeddedServer server, Path files) implements ServerCaches {

    static ServerCaches of(EmbeddedServer server) {
        return server.files()
                .<ServerCaches>map(files -> new EmbeddedCaches(server, files))
                .orElseGet(() -> ServerCaches.none("this target has no caches that could be emptied"));
    }

    @Override
    public Optional<String> refusal(Emptied what) {
        return what == Emptied.SERVER_AND_SYSTEM ? PageCache.refusalToForget() : Optional.empty();
    }

    @Override
    public void empty(Emptied what) {
        server.restart(() -> {
            if (what == Emptied.SERVER_AND_SYSTEM) {
                PageCache.forget(files);
            }
        });
    }
}
