package siemload.database.opensearch;

import java.time.Duration;
import java.util.List;
import siemload.database.EventSink;
import siemload.database.opensearch.EventBatch.Twice;
import siemload.database.opensearch.layout.IndexLayout;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Sends batches by the bulk interface, and waits until searches find them: a server answers before that, unless it is asked to wait for its
 * next refresh. A batch is no transaction: one that failed may be stored in part, and is completed when it is written again.
 */
final class OpenSearchSink implements EventSink {
    private static final String VISIBLE = "refresh=wait_for&";

    private final OpenSearchClient client;
    private final String alias;
    private final IndexLayout layout;
    private final Duration timeout;
    private final IdeaWriter writer = new IdeaWriter();

    OpenSearchSink(OpenSearchClient client, String alias, IndexLayout layout, Duration timeout) {
        this.client = client;
        this.alias = alias;
        this.layout = layout;
        this.timeout = timeout;
    }

    @Override
    public long write(List<SecurityEvent> batch) {
        EventBatch events = EventBatch.of(batch, layout, writer);
        return OpenSearchErrors.answering(timeout, () -> {
            boolean again = events.store(client, alias, VISIBLE, Twice.LEFT_ALONE, timeout);
            if (again) {
                // Where all of it is there the server has written nothing, and waits for nothing.
                var unused = client.answer(RestCall.post("/" + alias + "/_refresh", timeout));
            }
            return events.bytes();
        });
    }

    @Override
    public void close() {}
}
