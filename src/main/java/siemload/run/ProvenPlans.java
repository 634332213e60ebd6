package siemload.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.database.Hint;
import siemload.database.Plan;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.TargetException;
import siemload.measure.monitor.SessionIo;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.TrendCatalog;
import siemload.results.DatabaseActivity;
import siemload.results.RunResult;
import siemload.results.SearchKey;
import siemload.run.LoadRun.ReadRouting.ReadStore;

/** The plans of a run, and whether the server follows the hint in them. Used by one thread at a time. */
final class ProvenPlans {
    private final RunSetup setup;
    private final PlanCollector book;
    private final List<String> warnings = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private StatementNames statements = StatementNames.NONE;

    ProvenPlans(RunSetup setup) {
        this.setup = setup;
        this.book = new PlanCollector(
                setup.directory().path(), setup.plan().variant().hint());
    }

    /**
     * Reads how the server goes about the searches, and makes sure that it follows the hint of the run.
     *
     * @param examples one search of each kind
     * @param various several searches of each kind, to learn their statements
     * @throws ConfigException if the hint takes no effect, unless the settings allow that
     */
    void prove(Map<SearchKey, Search> examples, Map<SearchKey, List<Search>> various) {
        setup.host().status("reading the plans of " + examples.size() + " kinds of search");
        try (SearchSession session = setup.store().openSession();
                SessionIo io = new SessionIo(() -> setup.store().openCounters())) {
            book.read(examples, session, io);
            statements = StatementNames.of(various, setup.plan().variant().paging(), session);
            compareReplicas();
        } catch (IOException unwritten) {
            throw new ConfigException(
                    setup.origin(Property.RESULTS),
                    "the plans cannot be written to " + setup.directory().path() + ": " + unwritten);
        }
        setup.host().status("");
        String missed = book.missedHints();
        if (missed.isEmpty()) {
            return;
        }
        String problem = "hint '" + setup.plan().variant().hint().label() + "' took no effect on " + missed;
        if (!setup.plan().settings().value(Property.ALLOW_INEFFECTIVE_HINT)) {
            throw new ConfigException(
                    setup.origin(Property.HINT), problem + "; go on nevertheless with -DallowIneffectiveHint=true");
        }
        setup.host().line("warning: " + problem);
        warnings.add(problem);
    }

    private void compareReplicas() throws IOException {
        List<ReadStore> reading = setup.database().reading();
        for (int i = 0; i < reading.size(); i++) {
            if (reading.get(i).replica().isPresent()) {
                try (SearchSession there = reading.get(i).store().openSession()) {
                    notes.addAll(book.otherwise(i + 1, there));
                }
            }
        }
    }

    /** Where replicas answer by other plans than those that are reported. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** What has to be said of the run on account of its plans. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** What the server calls the statements of the searches. */
    StatementNames statements() {
        return statements;
    }

    /** The plans as they were read before. */
    List<RunResult.PlanRecord> asRead() {
        return book.asRead();
    }

    /** The plans from before the load beside those of now; where the server is gone, those from before alone. */
    List<RunResult.PlanRecord> readAgain() {
        try (SearchSession session = setup.store().openSession()) {
            return book.compareWith(session);
        } catch (IOException | TargetException unreadable) {
            return book.asRead();
        }
    }

    /** How the server goes about each kind of search, as far as it tells. */
    Map<SearchKey, String> shapes() {
        return book.shapes();
    }

    /**
     * How the server goes about each kind of search of a run: read before the load, and again after it. The full plans are
     * files in {@code plans/}. Used by one thread at a time.
     */
    private static final class PlanCollector {
        private static final int SHOWN = 3;

        private final Path directory;
        private final Hint hint;
        private final Map<SearchKey, Entry> entries = new TreeMap<>();
        private boolean counts = true;

        /** @param directory the run's directory */
        PlanCollector(Path directory, Hint hint) {
            this.directory = directory.resolve("plans");
            this.hint = hint;
        }

        /**
         * What is known of one kind of search.
         *
         * @param before its plan; empty if the search failed
         * @param failure why there is none; empty if there is one
         * @param io what the server read and wrote for it, by purpose; empty where it does not tell
         */
        private record Entry(
                Search example, Optional<Plan> before, String failure, Path file, List<DatabaseActivity.Io> io) {}

        /**
         * Reads the plans before the load, and what the server reads and writes meanwhile: nobody else works with the run's tables.
         *
         * @param examples one search of each kind
         * @param io counts that
         * @throws IOException if they cannot be written
         */
        void read(Map<SearchKey, Search> examples, SearchSession session, SessionIo io) throws IOException {
            for (Map.Entry<SearchKey, Search> kind : examples.entrySet()) {
                Search example = kind.getValue();
                try {
                    startCounting(io, session);
                    Plan plan = plan(example, session);
                    List<DatabaseActivity.Io> counted = counted(io, session);
                    Path file = write(kind.getKey(), plan, "");
                    entries.put(kind.getKey(), new Entry(example, Optional.of(plan), "", file, counted));
                } catch (SearchException failed) {
                    String failure = String.valueOf(failed.getMessage());
                    entries.put(kind.getKey(), new Entry(example, Optional.empty(), failure, directory, List.of()));
                }
            }
        }

        /** A server that does not let us see its counters, which the monitor of the run says, answers searches all the same. */
        private void startCounting(SessionIo io, SearchSession session) {
            try {
                if (counts) {
                    io.start(session);
                }
            } catch (SearchException | TargetException untold) {
                counts = false;
            }
        }

        private List<DatabaseActivity.Io> counted(SessionIo io, SearchSession session) {
            try {
                return counts
                        ? io.sinceStart(session).map(SessionIo::byCategory).orElse(List.of())
                        : List.of();
            } catch (SearchException untold) {
                counts = false;
                return List.of();
            }
        }

        /**
         * The searches on which the hint of the run took no effect, or whose plan does not show whether it did, with their
         * plans; empty if there is none. The first few stand for all of them.
         */
        String missedHints() {
            List<String> missed = allMissedHints();
            String shown = String.join("; ", missed.subList(0, Math.min(SHOWN, missed.size())));
            return missed.size() <= SHOWN ? shown : shown + "; and on " + (missed.size() - SHOWN) + " more";
        }

        private List<String> allMissedHints() {
            List<String> missed = new ArrayList<>();
            if (hint == Hint.NONE) {
                return missed;
            }
            entries.forEach((key, entry) -> {
                Optional<String> why = entry.before().isPresent()
                        ? entry.before().flatMap(plan -> hint.missedBy(entry.example(), plan))
                        : Optional.of("its plan could not be read: " + entry.failure())
                                .filter(unseen -> Hint.concerns(entry.example()));
                why.ifPresent(reason -> missed.add(key.label() + ": " + reason + " (" + entry.file() + ")"));
            });
            return missed;
        }

        /** Asks for the plans once more, without executing those that are still the same, and answers what is to be reported. */
        List<RunResult.PlanRecord> compareWith(SearchSession session) throws IOException {
            List<RunResult.PlanRecord> records = new ArrayList<>();
            for (Map.Entry<SearchKey, Entry> kind : entries.entrySet()) {
                Entry entry = kind.getValue();
                if (entry.before().isPresent()) {
                    String shape = entry.before().orElseThrow().shape();
                    records.add(record(kind.getKey(), entry, shape, shapeNow(kind.getKey(), entry, session)));
                } else {
                    records.add(record(kind.getKey(), entry, "", ""));
                }
            }
            return records;
        }

        /** What is to be reported where the plans cannot be read once more. */
        List<RunResult.PlanRecord> asRead() {
            List<RunResult.PlanRecord> records = new ArrayList<>();
            entries.forEach((key, entry) -> {
                String shape = entry.before().map(Plan::shape).orElse("");
                records.add(record(key, entry, shape, shape));
            });
            return records;
        }

        /** The plans before the load, reduced to what can be compared. */
        Map<SearchKey, String> shapes() {
            Map<SearchKey, String> shapes = new TreeMap<>();
            entries.forEach((key, entry) -> entry.before().ifPresent(plan -> shapes.put(key, plan.shape())));
            return shapes;
        }

        private static Plan plan(Search search, SearchSession session) {
            Optional<Summary.Hours> trend = TrendCatalog.summary(search.name());
            if (trend.isPresent()) {
                return session.explainStoring(search, trend.orElseThrow());
            }
            Optional<Summary> summary = search.summary();
            return summary.isPresent() ? session.explain(search, summary.orElseThrow()) : session.explain(search);
        }

        private String shapeNow(SearchKey key, Entry entry, SearchSession session) throws IOException {
            try {
                Optional<Plan> after = another(entry, session);
                if (after.isPresent()) {
                    write(key, after.orElseThrow(), "-at-end");
                }
                return after.or(entry::before).orElseThrow().shape();
            } catch (SearchException unseen) {
                return entry.before().orElseThrow().shape();
            }
        }

        /** The plan by which a session answers now, where it is another one. A search is not executed as long as it seems to be the same. */
        private static Optional<Plan> another(Entry entry, SearchSession session) {
            String before = entry.before().orElseThrow().shape();
            return session.expect(entry.example()).shape().equals(before)
                    ? Optional.empty()
                    : Optional.of(plan(entry.example(), session))
                            .filter(plan -> !plan.shape().equals(before));
        }

        /**
         * Asks a replica for the plans as well, and says of each kind of search that it answers by another one; those plans are files, too.
         *
         * @param number of the replica, from 1
         * @throws IOException if they cannot be written
         */
        List<String> otherwise(int number, SearchSession session) throws IOException {
            List<String> notes = new ArrayList<>();
            for (Map.Entry<SearchKey, Entry> kind : entries.entrySet()) {
                Entry entry = kind.getValue();
                String who = "replica " + number + " answers " + kind.getKey().label() + " by ";
                try {
                    Optional<Plan> other = entry.before().isEmpty() ? Optional.empty() : another(entry, session);
                    if (other.isPresent()) {
                        Path file = write(kind.getKey(), other.orElseThrow(), "-replica-" + number);
                        notes.add(who + "another plan than the primary: "
                                + other.orElseThrow().shape() + ", not "
                                + entry.before().orElseThrow().shape() + " (plans/" + file.getFileName() + ")");
                    }
                } catch (SearchException untold) {
                    notes.add(who + "a plan that it does not tell: " + untold.getMessage());
                }
            }
            return notes;
        }

        private RunResult.PlanRecord record(SearchKey key, Entry entry, String shape, String shapeAtEnd) {
            Optional<Plan.PartitionsRead> partitions = entry.before().flatMap(Plan::partitions);
            return new RunResult.PlanRecord(
                    key.kind(),
                    shape,
                    shapeAtEnd,
                    entry.before().isPresent() ? "plans/" + entry.file().getFileName() : "",
                    entry.failure(),
                    partitions.map(Plan.PartitionsRead::read).orElse(0),
                    partitions.map(Plan.PartitionsRead::all).orElse(0),
                    entry.io());
        }

        private Path write(SearchKey key, Plan plan, String suffix) throws IOException {
            Files.createDirectories(directory);
            String name = (key.search() + "-" + key.page().label() + "-" + key.order())
                    .toLowerCase(Locale.ROOT)
                    .replace('_', '-');
            Path file = directory.resolve(name + suffix + "." + plan.format().extension());
            Files.writeString(file, plan.text());
            return file;
        }
    }

    /**
     * What the server calls the statements of each kind of search: a kind has several where values are of several kinds, such as
     * addresses of both families. Immutable.
     *
     * @param byKind without the kinds whose statements the server does not tell
     */
    record StatementNames(Map<SearchKey, Set<String>> byKind) {
        /** Names of no search. */
        static final StatementNames NONE = new StatementNames(Map.of());

        StatementNames {
            byKind = Map.copyOf(byKind);
        }

        /** Asks for those of examples; a kind of which one cannot be asked for has none. */
        static StatementNames of(Map<SearchKey, List<Search>> examples, Paging paging, SearchSession session) {
            Map<SearchKey, Set<String>> names = new TreeMap<>();
            examples.forEach((kind, searches) -> {
                try {
                    Set<String> all = new LinkedHashSet<>();
                    for (Search search : searches) {
                        name(search, kind.page(), paging, session).ifPresent(all::add);
                    }
                    if (!all.isEmpty()) {
                        names.put(kind, Set.copyOf(all));
                    }
                } catch (SearchException unknown) {
                    names.remove(kind);
                }
            });
            return new StatementNames(names);
        }

        private static Optional<String> name(Search search, PageClass page, Paging paging, SearchSession session) {
            boolean byCursor = paging == Paging.CURSOR && (page == PageClass.FIRST || page == PageClass.DEEPER);
            return byCursor ? session.statementOfCursors() : session.statement(search, page);
        }
    }
}
