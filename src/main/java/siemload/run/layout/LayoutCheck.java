package siemload.run.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import siemload.database.EventSink;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.event.SecurityEvent;

/** Feeds a store of a layout, and holds its answers against the right ones. Stateless. */
public final class LayoutCheck {
    private LayoutCheck() {}

    /**
     * Feeds events as the feeder does, the first half of them twice, as it does when it does not know whether they were stored.
     *
     * @return what is wrong then; empty where nothing is
     */
    public static Optional<String> feed(Store store, List<SecurityEvent> loaded, List<SecurityEvent> fed) {
        try (EventSink sink = store.openSink()) {
            List<SecurityEvent> half = fed.subList(0, fed.size() / 2);
            sink.write(half);
            sink.write(half);
            sink.write(fed.subList(fed.size() / 2, fed.size()));
        } catch (SearchException failed) {
            return Optional.of("feeding fails: " + failed.getMessage());
        }
        List<String> ids = new ArrayList<>(fed.stream().map(SecurityEvent::id).toList());
        ids.add("no event has this id");
        Store.Presence presence = store.presenceOf(ids);
        if (presence.found() != fed.size() || presence.duplicated() != 0) {
            return Optional.of("of " + fed.size() + " fed events presence.sql finds " + presence.found() + ", "
                    + presence.duplicated() + " of them more than once (right: all of them, each once)");
        }
        long events = store.events();
        int all = loaded.size() + fed.size();
        return events == all
                ? Optional.empty()
                : Optional.of("events.sql counts " + events + " events instead of " + all);
    }

    /**
     * Asks all questions.
     *
     * @param progress hears how many more answers were looked at
     * @return the first wrong answer; empty where all are right
     */
    public static Optional<WrongLayoutAnswer> check(Store store, LayoutQuestions questions, IntConsumer progress) {
        try (SearchSession session = store.openSession()) {
            for (LayoutQuestion question : questions.questions()) {
                Optional<String> fault = fault(question, session);
                if (fault.isPresent()) {
                    return Optional.of(new WrongLayoutAnswer(question.search(), question.kind(), fault.get()));
                }
                progress.accept(1);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> fault(LayoutQuestion question, SearchSession session) {
        try {
            return question.firstFault(session);
        } catch (SearchException failed) {
            return Optional.of("the search fails: " + failed.getMessage());
        }
    }
}
