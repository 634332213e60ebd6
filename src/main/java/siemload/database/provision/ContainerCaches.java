package siemload.database.provision;

import java.util.Optional;

/**
 * The caches of a server in a container. Its files belong to Docker, so that the system's cache of them goes only with that
 * of all files.
 */
record ContainerCaches(ServerContainer container) implements ServerCaches {

    @Override
    public Optional<String> refusal(Emptied what) {
        if (what == Emptied.SERVER) {
            return Optional.empty();
        }
        return container.isOnThisKernel()
                ? PageCache.refusalToDropAll()
                : Optional.of(
                        "Docker runs on another machine, or in a virtual one: its cache of files cannot be emptied"
                                + " from here; take caches=lukewarm");
    }

    @Override
    public void empty(Emptied what) {
        container.restart(() -> {
            if (what == Emptied.SERVER_AND_SYSTEM) {
                PageCache.dropAll();
            }
        });
    }
}
