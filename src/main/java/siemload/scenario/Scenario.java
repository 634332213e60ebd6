package siemload.scenario;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import siemload.config.Origin;
import siemload.config.Setting;
import siemload.config.YamlRecords.Key;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.query.Statement;

/**
 * A scenario after all overrides, which defines the work of one run. Either analysts search for some time, or a procedure is executed step
 * by step. Immutable.
 *
 * @param name the file name without its ending
 * @param description one sentence for people
 * @param dataset the data set's name or path; empty for statements, which use existing data
 * @param analysts the groups of users, at least one; none for a procedure
 * @param feeder inserts events while analysts search; off for a procedure
 * @param phases of the run; zero for a procedure, which ends when it is done
 * @param objectives of the run; may be empty
 * @param procedure the steps; empty for analysts
 * @param retention removes the oldest day while analysts search; empty if no day is removed, and for procedures and statements
 * @param statements the statements that users execute in place of searches for events; empty if users search for events
 * @param values every value by its path in the file ({@code analysts[tier-1].users}), defaults included, in the order of the file, with its
 *     origin
 * @param catalog the known searches: siemload's and the scenario's own
 */
public record Scenario(
        String name,
        String description,
        String dataset,
        List<AnalystGroup> analysts,
        Feeder feeder,
        Phases phases,
        List<Objective> objectives,
        Optional<Procedure> procedure,
        Optional<Retention> retention,
        List<StatementPlan> statements,
        List<Setting> values,
        SearchCatalog catalog) {

    /**
     * The feeder, which runs next to the analysts. Immutable.
     *
     * @param rate events per second; {@link Rate#NONE} for no feeder
     * @param batch events per transaction, 1 to 10,000
     * @param connections how many connections send the batches in turn, 1 or more
     */
    public record Feeder(
            @Key(value = "eps", allowed = "rate") Rate rate,
            @Key(allowed = "1 to 10000", standard = "50") int batch,
            @Key(allowed = "1 to 1000", standard = "1") int connections) {
        /** Returns whether any events are fed. */
        public boolean isOn() {
            return !rate.isNone();
        }
    }

    /** The phases of a run: the time before measuring, 0 or more, and the measured time, 1 s or more. Immutable. */
    public record Phases(
            @Key(allowed = "0s to 1d") Duration warmup,
            @Key(allowed = "1s to 30d") Duration measurement) {}

    /** Removes the oldest day of the data set this long after the start of the measured phase, and before its end. Immutable. */
    public record Retention(@Key(allowed = "0s to 1d") Duration after) {}

    public Scenario {
        analysts = List.copyOf(analysts);
        objectives = List.copyOf(objectives);
        statements = List.copyOf(statements);
        values = List.copyOf(values);
    }

    /** Returns the origin of the first value with a matching path, for messages about that value; a default if no path matches. */
    public Origin origin(Predicate<String> path) {
        return values.stream()
                .filter(value -> path.test(value.name()))
                .findFirst()
                .map(Setting::origin)
                .orElseGet(Origin.Default::new);
    }

    /** Returns the names of the statements that are marked as writing. */
    public Set<SearchName> writing() {
        return statements.stream()
                .map(StatementPlan::statement)
                .filter(Statement::writes)
                .map(Statement::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns whether the scenario replays a query recording. */
    public boolean replays() {
        return analysts.stream().anyMatch(group -> group.load() instanceof LoadModel.Replayed);
    }
}
