package siemload.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.database.SearchSession;
import siemload.database.TargetException;
import siemload.measure.monitor.SessionIo;
import siemload.query.Search;
import siemload.results.RunResult;
import siemload.results.SearchKey;

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
}
