package siemload.load;

import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import java.util.concurrent.atomic.AtomicLong;
import siemload.dataset.SeededRandom;
import siemload.results.Outcome;

/** Runs one search of a simulation's own; the user waits for the answer, however long it takes. */
final class SearchAction extends SearchingAction {
    private final SearchBuilder search;
    private final AtomicLong executions = new AtomicLong();

    SearchAction(ScenarioContext context, Action next, SearchBuilder search) {
        super("search", context, next);
        this.search = search;
    }

    @Override
    void perform(Session session) {
        long number = executions.getAndIncrement();
        SeededRandom random = SeededRandom.of(engine().seed(), number);
        SearchRequest request = search.request(engine().draw(), engine().dataClock(), random);
        engine().submit(number, request, answer -> {
            log().add(session, request, answer);
            proceed(answer.sample().outcome() == Outcome.OK ? session : session.markAsFailed());
        });
    }
}
