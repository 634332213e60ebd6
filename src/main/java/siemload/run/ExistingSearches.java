package siemload.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import siemload.config.Problems;
import siemload.database.ExistingEvents;
import siemload.database.Hint;
import siemload.database.SearchSession;
import siemload.database.TargetException;
import siemload.query.Search;
import siemload.results.SearchKey;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.RepeatedSearches;

/**
 * Searches of events that were there before: which of them the layout can ask, and what their answers prove, of which nobody knows
 * the right ones. Used by one thread at a time.
 */
final class ExistingSearches {
    private final RunSetup setup;
    private final ExistingEvents store;
    private final DataChanges changes;
    private Optional<String> note = Optional.empty();

    private ExistingSearches(RunSetup setup, ExistingEvents store, DataChanges changes) {
        this.setup = setup;
        this.store = store;
        this.changes = changes;
    }

    /** Those of a run; empty where it searches events of siemload's. */
    static Optional<ExistingSearches> of(RunSetup setup, DataChanges changes) {
        return setup.store() instanceof ExistingEvents store
                ? Optional.of(new ExistingSearches(setup, store, changes))
                : Optional.empty();
    }

    /**
     * Looks whether the layout has what the run will ask.
     *
     * @param searches several of each kind
     * @throws siemload.config.ConfigException with each search that it lacks something for, and what
     */
    void requireAnswerable(Map<SearchKey, List<Search>> searches) {
        LayoutSearches.require(setup.plan(), searches);
        requireRowsToGoOnFrom();
    }

    /** Who narrows a search by a row that was seen must be able to read it. */
    private void requireRowsToGoOnFrom() {
        boolean followUps = setup.plan().scenario().analysts().stream().anyMatch(group -> group.followUpRatio() > 0);
        if (!followUps) {
            return;
        }
        Optional<String> wrong = SeenRow.of(store, setup.plan().source()).flatMap(SeenRow::refusal);
        Problems problems = new Problems();
        wrong.ifPresent(
                why -> problems.add(
                        setup.plan().resolved().origin(path -> path.endsWith(".followUp")),
                        "rows of the layout " + setup.plan().variant().layout()
                                + " are no IDEA events, from which users could go on to another search: " + why
                                + " (leave followUp out, or have the layout give ID, DetectTime, Category and what else there is)"));
        problems.throwIfAny();
    }

    /**
     * Asks the sampled searches again, as they were and with each other hint of the layout, and reads the whole result of pages.
     *
     * @param givenUp whether the process is asked to stop; asked again and again
     */
    CheckedAnswers check(AnswerSampler sampler, BooleanSupplier givenUp) {
        Map<String, SearchSession> sessions = new LinkedHashMap<>();
        try {
            sessions.put("again", store.openSession());
            for (Hint hint : otherHints()) {
                sessions.put("with hint " + hint.label(), store.openSession(hint));
            }
            RepeatedSearches repeated =
                    new RepeatedSearches(sessions, setup.plan().source().until());
            try (ProgressBar bar = new ProgressBar(setup.host(), "asking again", repeated.number(sampler), "answers")) {
                repeated.ask(sampler, bar::advance, givenUp);
            }
            return judged(sampler, repeated);
        } catch (TargetException unreachable) {
            note = Optional.of("the answers could not be asked for again: " + unreachable.getMessage());
            return CheckedAnswers.none(sampler);
        } finally {
            sessions.values().forEach(SearchSession::close);
        }
    }

    private List<Hint> otherHints() {
        List<Hint> hints = new ArrayList<>(setup.plan().choice().abilities().hints());
        hints.remove(setup.plan().variant().hint());
        return hints;
    }

    private CheckedAnswers judged(AnswerSampler sampler, RepeatedSearches repeated) {
        String compared = String.format(
                Locale.ROOT,
                "answers were held against each other: %,d searches were asked again%s, and %,d pages were looked up in"
                        + " the whole result",
                repeated.asked(),
                otherHints().isEmpty()
                        ? ""
                        : " as they were and with hint "
                                + String.join(
                                        ", ",
                                        otherHints().stream().map(Hint::label).toList()),
                repeated.looked());
        Optional<String> change = change();
        if (change.isEmpty()) {
            note = Optional.of(compared + ", while nobody wrote a row" + unanswered(repeated));
            return repeated.checked(sampler);
        }
        note = Optional.of(String.format(
                Locale.ROOT,
                "%s; %s, so that the %,d that were answered otherwise than at first cannot be checked%s",
                compared,
                change.orElseThrow(),
                repeated.differing(),
                unanswered(repeated)));
        return repeated.unchecked(sampler);
    }

    private static String unanswered(RepeatedSearches repeated) {
        return repeated.failed() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; %,d could not be asked again: %s",
                        repeated.failed(),
                        repeated.firstFailure().orElse("unknown"));
    }

    /** What tells that the data are not what they were before the run. */
    private Optional<String> change() {
        OptionalLong rows = changes.rows();
        if (rows.isEmpty()) {
            return Optional.of("whether the data changed meanwhile is unknown");
        }
        if (rows.getAsLong() != 0) {
            return Optional.of(
                    String.format(Locale.ROOT, "%,d rows were written into the database meanwhile", rows.getAsLong()));
        }
        ExistingEvents.Span now = store.span();
        long more = now.events() - setup.plan().source().count();
        return more == 0
                ? Optional.empty()
                : Optional.of(String.format(Locale.ROOT, "there are %+,d events meanwhile", more));
    }

    /** What has to be said of the answers; empty before {@link #check}. */
    Optional<String> note() {
        return note;
    }
}
