package siemload.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.dataset.EventSource;
import siemload.event.EventFormatException;
import siemload.event.IdeaReader;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.RunFile;
import siemload.results.SearchKey;
import siemload.run.LayoutTrial.LayoutSearches;
import siemload.run.LoadOutcome.DayDrop;
import siemload.run.RunHost.ProgressBar;
import siemload.run.answers.AnswerCheck;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.RepeatedAnswers;
import siemload.run.answers.RepeatedSearches;
import siemload.run.answers.SampledAnswer;
import siemload.run.answers.WrongAnswer;

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

    /** Whether anybody writes into the tables of a store that is not siemload's, from now on. Used by one thread at a time. */
    record DataChanges(Store store, OptionalLong before) {

        static DataChanges from(Store store) {
            return new DataChanges(store, written(store));
        }

        /** How many rows were written; empty where nobody tells. */
        OptionalLong rows() {
            OptionalLong now = written(store);
            return before.isEmpty() || now.isEmpty()
                    ? OptionalLong.empty()
                    : OptionalLong.of(now.getAsLong() - before.getAsLong());
        }

        private static OptionalLong written(Store store) {
            try {
                return store.rowsWritten();
            } catch (TargetException untold) {
                return OptionalLong.empty();
            }
        }
    }

    /**
     * What the newest row of a store shows. Immutable.
     *
     * @param contents what stands beside id and detect time
     */
    @SuppressWarnings("ArrayRecordComponent")
    private // Never compared.
    record SeenRow(byte[] contents) {

        /**
         * Asks for it; empty where there is none.
         *
         * @throws siemload.database.SearchException if it cannot be had
         */
        static Optional<SeenRow> of(Store store, EventSource events) {
            Window all = new Window(events.first(), events.until());
            Search newest =
                    new Search(new SearchName("MENTAT"), all, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));
            List<SeenRow> rows = new ArrayList<>();
            try (SearchSession session = store.openSession()) {
                session.search(newest, row -> rows.add(new SeenRow(row.idea())));
            }
            return rows.stream().findFirst();
        }

        /** Why it cannot be read as an IDEA event; empty if it can. */
        Optional<String> refusal() {
            try {
                var unused = new IdeaReader().read(contents);
                return Optional.empty();
            } catch (EventFormatException wrong) {
                return Optional.of(String.valueOf(wrong.getMessage()));
            }
        }
    }

    /**
     * Has the sampled answers of a run checked once its load is over, and puts down the wrong ones.
     *
     * @param hours what the trends say of each hour
     * @param written how many rows anybody wrote meanwhile into data that were there before; empty where nobody tells
     * @param existing where events are searched that were there before, of which nobody knows the right answers
     */
    record AnswerReview(
            RunHost host,
            EventSource source,
            List<SampledAnswer> hours,
            Path directory,
            OptionalLong written,
            Optional<ExistingSearches> existing) {
        private static final int MOST_IN_FILE = 100;

        /**
         * Checks the answers. Wrong ones were answered, so that they count as wrong alone, and not as failed searches as well.
         *
         * @param givenUp whether the process is asked to stop; asked again and again
         */
        CheckedAnswers review(LoadOutcome measured, BooleanSupplier givenUp) {
            CheckedAnswers checked = check(measured, givenUp);
            if (!checked.wrong().isEmpty()) {
                write(checked.wrong(), measured.end().clock().startNanos());
            }
            return checked;
        }

        CheckedAnswers check(LoadOutcome measured, BooleanSupplier givenUp) {
            if (measured.injected().isPresent()) {
                return measured.injected().orElseThrow().answers();
            }
            if (measured.end().ending() != LoadOutcome.Ending.COMPLETE) {
                return CheckedAnswers.none(measured.kept().answers());
            }
            Optional<RepeatReview> repeats = repeats(measured);
            if (repeats.isPresent()) {
                writeAnswers(repeats.orElseThrow());
                return repeats.orElseThrow().check();
            }
            if (existing.isPresent()) {
                return existing.orElseThrow().check(measured.kept().answers(), givenUp);
            }
            host.status("checking answers");
            try (ProgressBar bar = new ProgressBar(host, "checking answers", source.count())) {
                return AnswerCheck.of(
                        measured.kept().answers(),
                        hours,
                        source,
                        new AnswerCheck.Changes(
                                measured.fed().batches(), measured.drop().map(DayDrop::dropped)),
                        bar::advance,
                        givenUp);
            } catch (UncheckedIOException unreadable) {
                host.line("the answers could not be checked: " + unreadable.getMessage());
                return CheckedAnswers.none(measured.kept().answers());
            }
        }

        private Optional<RepeatReview> repeats(LoadOutcome measured) {
            return measured.kept()
                    .answers()
                    .repeats()
                    .map(answers ->
                            new RepeatReview(answers, measured.kept().answers().askedRatio(), written));
        }

        /** What has to be said of answers that were held against each other; nothing of others. */
        Optional<String> note(LoadOutcome measured) {
            return measured.kept().answers().askedRatio() == 0
                    ? Optional.empty()
                    : existing.flatMap(ExistingSearches::note)
                            .or(() -> repeats(measured).map(RepeatReview::note));
        }

        /** For other runs that ask the same. */
        private void writeAnswers(RepeatReview repeats) {
            if (repeats.askedRatio() == 0 || !repeats.isUnchanged()) {
                return;
            }
            List<String> lines = new ArrayList<>(List.of(String.join(",", RunFile.ANSWERS.columns())));
            lines.addAll(repeats.answers().lines());
            try {
                Files.write(RunFile.ANSWERS.in(directory), lines);
            } catch (IOException unwritten) {
                host.line("the answers could not be written to " + RunFile.ANSWERS.in(directory) + ": " + unwritten);
            }
        }

        private void write(List<WrongAnswer> wrong, long startNanos) {
            StringBuilder text = new StringBuilder();
            wrong.stream()
                    .limit(MOST_IN_FILE)
                    .forEach(one -> text.append(one.text(startNanos)).append('\n'));
            if (wrong.size() > MOST_IN_FILE) {
                text.append(String.format(Locale.ROOT, "and %d more\n", wrong.size() - MOST_IN_FILE));
            }
            try {
                Files.writeString(RunFile.WRONG_ANSWERS.in(directory), text);
            } catch (IOException unwritten) {
                host.line("the wrong answers could not be written to " + RunFile.WRONG_ANSWERS.in(directory) + ": "
                        + unwritten);
            }
        }

        /**
         * What answers to statements prove that were held against each other. Immutable.
         *
         * @param written how many rows were written into the database meanwhile, by anybody; empty where nobody tells
         */
        record RepeatReview(RepeatedAnswers answers, double askedRatio, OptionalLong written) {

            /** Where somebody has written, an answer may be another one and right all the same. */
            CheckedAnswers check() {
                return isUnchanged() ? answers.checked(askedRatio) : answers.unchecked(askedRatio);
            }

            /** Whether nobody has written meanwhile, so that whoever asks the same must get the same. */
            boolean isUnchanged() {
                return written.orElse(1) == 0;
            }

            /** What a reader must know of it. */
            String note() {
                if (answers.repeats() == 0) {
                    return "no answer could be held against another one: nothing was asked twice with the same values";
                }
                String compared = String.format(
                        Locale.ROOT,
                        "answers were held against each other: %,d that repeat one of %,d questions (a statement with its values)",
                        answers.repeats(),
                        answers.questions());
                if (isUnchanged()) {
                    return compared + ", while nobody wrote a row";
                }
                String how = written.isEmpty()
                        ? "whether the data changed meanwhile is unknown"
                        : String.format(
                                Locale.ROOT, "%,d rows were written into the database meanwhile", written.getAsLong());
                return String.format(
                        Locale.ROOT,
                        "%s; %s, so that the %,d that were answered otherwise than at first cannot be checked",
                        compared,
                        how,
                        answers.differing());
            }
        }
    }
}
