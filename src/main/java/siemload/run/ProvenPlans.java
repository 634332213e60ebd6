package siemload.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.database.Counters.Io;
import siemload.database.Hint;
import siemload.database.Plan;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.TargetException;
import siemload.measure.monitor.SessionIo;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.results.RunResult;
import siemload.results.SearchKey;

/**
 * How the server goes about each kind of search of a run, read before the load and again after it, and whether it follows the hint. The
 * full plans are files in {@code plans/}. Used by one thread at a time.
 */
final class ProvenPlans {
    private static final int SHOWN = 3;

    private final RunSetup setup;
    private final Path directory;
    private final Hint hint;
    private final Map<SearchKey, Entry> entries = new TreeMap<>();
    private final Map<SearchKey, Set<String>> statements = new TreeMap<>();
    private boolean counts = true;

    ProvenPlans(RunSetup setup) {
        this.setup = setup;
        this.directory = setup.path().resolve("plans");
        this.hint = setup.plan().variant().hint();
    }

    /**
     * What is known of one kind of search.
     *
     * @param before its plan; empty if the search failed
     * @param failure why there is none; empty if there is one
     * @param io what the server read and wrote for it, by purpose; empty where it does not tell
     */
    private record Entry(Search example, Optional<Plan> before, String failure, Path file, List<Io> io) {
        /** The plan, reduced to what can be compared. */
        String shape() {
            return before.map(Plan::shape).orElse("");
        }
    }

    /**
     * Reads how the server goes about the searches, and makes sure that it follows the hint of the run.
     *
     * @param examples one search of each kind
     * @param various several searches of each kind, to learn their statements
     * @throws ConfigException if the hint takes no effect
     */
    void prove(Map<SearchKey, Search> examples, Map<SearchKey, List<Search>> various) {
        setup.host().status("reading the plans of " + examples.size() + " kinds of search");
        try (SearchSession session = setup.bench().store().openSession();
                SessionIo io = new SessionIo(() -> setup.bench().store().openCounters())) {
            for (Map.Entry<SearchKey, Search> kind : examples.entrySet()) {
                entries.put(kind.getKey(), read(kind.getKey(), kind.getValue(), session, io));
            }
            various.forEach((kind, searches) -> nameStatements(kind, searches, session));
        } catch (IOException unwritten) {
            throw new ConfigException(
                    setup.origin(Property.RESULTS),
                    "the plans cannot be written to " + setup.path() + ": " + unwritten);
        }
        setup.host().status("");
        requireHint();
    }

    /**
     * Reads a plan before the load, and what the server reads and writes meanwhile: nobody else works with the run's tables. A server that
     * does not let us see its counters, which the monitor of the run says, answers searches all the same.
     */
    private Entry read(SearchKey key, Search example, SearchSession session, SessionIo io) throws IOException {
        try {
            counts = counts && isTold(() -> io.start(List.of(session)));
            Plan plan = session.explain(example);
            List<Io> counted = new ArrayList<>();
            counts = counts
                    && isTold(() -> io.sinceStart(List.of(session))
                            .ifPresent(told -> counted.addAll(told.io().values())));
            return new Entry(example, Optional.of(plan), "", write(key, plan, ""), counted);
        } catch (SearchException failed) {
            return new Entry(example, Optional.empty(), String.valueOf(failed.getMessage()), directory, List.of());
        }
    }

    private static boolean isTold(Runnable counting) {
        try {
            counting.run();
            return true;
        } catch (SearchException | TargetException untold) {
            return false;
        }
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

    /** The plan by which a session answers now, where it is another one. A search is not executed as long as it seems to be the same. */
    private static Optional<Plan> another(Entry entry, SearchSession session) {
        return entry.before().isEmpty()
                        || session.expect(entry.example()).shape().equals(entry.shape())
                ? Optional.empty()
                : Optional.of(session.explain(entry.example()))
                        .filter(plan -> !plan.shape().equals(entry.shape()));
    }

    /** Of the searches on which the hint took no effect, or whose plan does not show whether it did, the first few stand for all. */
    private void requireHint() {
        if (hint == Hint.NONE) {
            return;
        }
        List<String> missed = new ArrayList<>();
        entries.forEach((key, entry) -> {
            Optional<String> why = entry.before().isPresent()
                    ? entry.before().flatMap(plan -> hint.missedBy(entry.example(), plan))
                    : Optional.of("its plan could not be read: " + entry.failure())
                            .filter(unseen -> Hint.concerns(entry.example()));
            why.ifPresent(reason -> missed.add(key.label() + ": " + reason + " (" + entry.file() + ")"));
        });
        if (missed.isEmpty()) {
            return;
        }
        String shown = String.join("; ", missed.subList(0, Math.min(SHOWN, missed.size())));
        throw new ConfigException(
                setup.origin(Property.HINT),
                "hint '" + hint.label() + "' took no effect on " + shown
                        + (missed.size() <= SHOWN ? "" : "; and on " + (missed.size() - SHOWN) + " more")
                        + " (leave the hint out, or the searches)");
    }

    /**
     * What the server calls the statements of each kind of search: a kind has several where values are of several kinds, such as
     * addresses of both families. Without the kinds whose statements the server does not tell.
     */
    Map<SearchKey, Set<String>> statements() {
        return Collections.unmodifiableMap(statements);
    }

    /** A kind of which one search cannot be asked for has none. */
    private void nameStatements(SearchKey kind, List<Search> searches, SearchSession session) {
        PageClass page = kind.page();
        boolean byCursor = setup.plan().variant().paging() == Paging.CURSOR
                && (page == PageClass.FIRST || page == PageClass.DEEPER);
        try {
            Set<String> names = new LinkedHashSet<>();
            for (Search search : searches) {
                (byCursor ? session.statementOfCursors() : session.statement(search, page)).ifPresent(names::add);
            }
            if (!names.isEmpty()) {
                statements.put(kind, names);
            }
        } catch (SearchException unknown) {
            // Nobody knows what the server calls them.
        }
    }

    /** How the server went about each kind of search before the load, as far as it tells. */
    Map<SearchKey, String> shapes() {
        Map<SearchKey, String> shapes = new TreeMap<>();
        entries.forEach((key, entry) -> entry.before().ifPresent(plan -> shapes.put(key, plan.shape())));
        return shapes;
    }

    /** The plans as they were read before. */
    List<RunResult.PlanRecord> asRead() {
        return entries.entrySet().stream()
                .map(kind ->
                        record(kind.getKey(), kind.getValue(), kind.getValue().shape()))
                .toList();
    }

    /**
     * The plans from before the load beside those of now, for which those that are still the same are not executed; where the server is
     * gone, those from before alone.
     */
    List<RunResult.PlanRecord> readAgain() {
        try (SearchSession session = setup.bench().store().openSession()) {
            List<RunResult.PlanRecord> records = new ArrayList<>();
            for (Map.Entry<SearchKey, Entry> kind : entries.entrySet()) {
                records.add(record(kind.getKey(), kind.getValue(), shapeNow(kind.getKey(), kind.getValue(), session)));
            }
            return records;
        } catch (IOException | TargetException unreadable) {
            return asRead();
        }
    }

    private String shapeNow(SearchKey key, Entry entry, SearchSession session) throws IOException {
        try {
            Optional<Plan> after = another(entry, session);
            if (after.isPresent()) {
                write(key, after.orElseThrow(), "-at-end");
            }
            return after.map(Plan::shape).orElse(entry.shape());
        } catch (SearchException unseen) {
            return entry.shape();
        }
    }

    private static RunResult.PlanRecord record(SearchKey key, Entry entry, String shapeAtEnd) {
        Optional<Plan.PartitionsRead> partitions = entry.before().flatMap(Plan::partitions);
        return new RunResult.PlanRecord(
                key.kind(),
                entry.shape(),
                shapeAtEnd,
                entry.before().isPresent() ? "plans/" + entry.file().getFileName() : "",
                entry.failure(),
                partitions.map(Plan.PartitionsRead::read).orElse(0),
                partitions.map(Plan.PartitionsRead::all).orElse(0),
                entry.io());
    }
}
