package siemload.simulation;

import io.gatling.core.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Responses of one user on their way to Gatling, for whose report it does not matter when they come. A single one wakes
 * the writer, which costs more than a short search; some together wake it once. Used by one thread at a time.
 */
final class ResponseBatch {
    /** As many as Gatling's writer takes in one go. */
    private static final int MOST = 20;

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ResponseLog log;
    private final Session session;
    private final List<Response> responses = new ArrayList<>(MOST);

    ResponseBatch(ResponseLog log, Session session) {
        this.log = log;
        this.session = session;
    }

    private record Response(SearchRequest request, SearchAnswer answer) {}

    /** Adds a response; sends all of them where that is due. */
    void add(SearchRequest request, SearchAnswer answer) {
        if (!answer.measured()) {
            return;
        }
        responses.add(new Response(request, answer));
        long oldest = responses.get(0).answer().sample().end();
        if (responses.size() == MOST || answer.sample().end() - oldest >= LONGEST_NANOS) {
            flush();
        }
    }

    /** Sends what is there; to be called before the user waits or leaves. */
    void flush() {
        for (Response response : responses) {
            log.log(session, response.request(), response.answer());
        }
        responses.clear();
    }
}
