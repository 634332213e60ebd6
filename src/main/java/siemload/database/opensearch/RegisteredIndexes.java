package siemload.database.opensearch;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import siemload.database.registry.Entry;
import siemload.database.registry.ServerObjects;

/**
 * The indexes that the registry tells of. They are the very ones if the server still has them under the UUID that it gave them when they
 * were made. Thread-safe.
 */
record RegisteredIndexes(OpenSearchClient client, Duration timeout) implements ServerObjects {
    /** All names that siemload gives; nothing else is dropped, whatever stands in the registry. */
    private static final Pattern OURS = Pattern.compile("siemload_(?:data|run)_[a-z0-9-]*_[0-9a-f]{8}");

    @Override
    public boolean isThere(Entry entry) {
        return isOurs(entry)
                && !entry.identity().isEmpty()
                && identity(client, entry.name(), timeout)
                        .filter(entry.identity()::equals)
                        .isPresent();
    }

    /** Another name is not even asked for: it may be no part of a path, or more than one. */
    private static boolean isOurs(Entry entry) {
        return OURS.matcher(entry.name()).matches();
    }

    /** Nobody makes an index anew by writing: {@link EventIndex#alias} goes with it. Searches that are under way end with an error. */
    @Override
    public Drop drop(Entry entry, Sessions sessions) {
        if (!isOurs(entry)) {
            return Drop.FOREIGN;
        }
        Optional<String> identity = identity(client, entry.name(), timeout);
        if (identity.isEmpty()) {
            return entry.identity().isEmpty() && isBeingMade(entry.name()) ? Drop.IN_USE : Drop.GONE;
        }
        boolean same = entry.identity().isEmpty() || identity.orElseThrow().equals(entry.identity());
        if (!same) {
            return Drop.FOREIGN;
        }
        return OpenSearchErrors.trying("drop the index " + entry.name(), () -> {
            client.find(RestCall.delete("/" + entry.name(), timeout));
            return Drop.GONE;
        });
    }

    /** The UUID of the index of this name; empty where there is none. */
    static Optional<String> identity(OpenSearchClient client, String index, Duration timeout) {
        return OpenSearchErrors.trying(
                "look for the index " + index,
                () -> client.find(RestCall.get("/" + index + "/_settings/index.uuid?flat_settings=true", timeout))
                        .map(found -> found.path(index)
                                .path("settings")
                                .path("index.uuid")
                                .asText("")));
    }

    /** A server may go on for a process that was killed. */
    private boolean isBeingMade(String index) {
        return OpenSearchErrors.trying(
                "see what the server has yet to do",
                () -> Json.elements(client.answer(RestCall.get("/_cluster/pending_tasks", timeout))
                                .path("tasks"))
                        .anyMatch(task -> task.path("source").asText().contains(index)));
    }
}
