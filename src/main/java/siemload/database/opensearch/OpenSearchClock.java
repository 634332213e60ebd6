package siemload.database.opensearch;

import java.time.Duration;
import java.time.Instant;
import siemload.database.ServerClock;

/** The clock of the node that answers, which shows milliseconds. */
record OpenSearchClock(OpenSearchClient client, Duration timeout) implements ServerClock {
    private static final Duration RESOLUTION = Duration.ofMillis(1);
    private static final String PATH = "/_nodes/_local/stats/os?filter_path=nodes.*.timestamp";

    @Override
    public Instant now() {
        return OpenSearchErrors.answering(timeout, this::asked);
    }

    /** The same. @throws OpenSearchException if the server does not answer */
    Instant asked() {
        return Json.elements(client.answer(RestCall.get(PATH, timeout)).path("nodes"))
                .findFirst()
                .map(node -> Instant.ofEpochMilli(node.path("timestamp").asLong()))
                .orElseThrow(() -> OpenSearchException.incomplete("the node does not tell its time"));
    }

    @Override
    public Duration resolution() {
        return RESOLUTION;
    }

    @Override
    public void close() {}
}
