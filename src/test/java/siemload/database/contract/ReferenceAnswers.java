package siemload.database.contract;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import siemload.database.SearchSession;
import siemload.event.SecurityEvent;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * What the reference answers about events that nothing is written into. It is asked once for each search, however many targets and
 * variants are held against it, and writes each event as JSON once. Thread-safe.
 */
final class ReferenceAnswers {
    private final SearchSession session;
    private final Map<Search, AnsweredRows> answers = new HashMap<>();
    private final Map<Search, Long> counts = new HashMap<>();
    private final Map<Asked, List<Summary.Line>> summaries = new HashMap<>();
    private final Map<String, AnsweredRows.Line> lines = new HashMap<>();

    private ReferenceAnswers(List<SecurityEvent> events) {
        session = ContractSubject.reference(events).openSession();
    }

    /** About the contract's events. */
    static ReferenceAnswers aboutAll() {
        return OfAll.ANSWERS;
    }

    /** About so many random ones that their pages come in portions. */
    static ReferenceAnswers aboutMany() {
        return OfMany.ANSWERS;
    }

    private record Asked(Search search, Summary summary) {}

    synchronized AnsweredRows to(Search search) {
        return answers.computeIfAbsent(search, this::ask);
    }

    private AnsweredRows ask(Search search) {
        return AnsweredRows.of(
                session, search, row -> lines.computeIfAbsent(row.id(), id -> AnsweredRows.Line.of(row)));
    }

    synchronized long count(Search search) {
        return counts.computeIfAbsent(search, session::count);
    }

    synchronized List<Summary.Line> to(Search search, Summary summary) {
        return summaries.computeIfAbsent(
                new Asked(search, summary), asked -> session.summarize(asked.search(), asked.summary()));
    }

    /** Made when they are first asked for. */
    private static final class OfAll {
        private static final ReferenceAnswers ANSWERS = new ReferenceAnswers(ContractEvents.ALL);
    }

    /** Likewise. */
    private static final class OfMany {
        private static final ReferenceAnswers ANSWERS =
                new ReferenceAnswers(ContractEvents.random(ContractEvents.MANY));
    }
}
