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
 * A scenario after all overrides: what one run does. Either analysts search for some time, or a procedure is followed
 * step by step. Immutable.
 *
 * @param name the file name without its ending
 * @param description one sentence for people
 * @param dataset the data set's name or path; empty where there are statements, which ask data that are there already
 * @param analysts the groups of users, at least one; none where there is a procedure
 * @param feeder inserts events meanwhile; off where there is a procedure
 * @param phases how long; no time where there is a procedure, which ends when it is done
 * @param objectives what the run is held to; may be empty
 * @param procedure what is done step by step; empty where there are analysts
 * @param retention removes the oldest day meanwhile; empty where nobody does, or there is a procedure
 * @param statements that the users ask in place of searches for events; empty where they search for events
 * @param values every value by its path in the file ({@code analysts[tier-1].users}), defaults included, in the order of the file, and
 *     where it comes from
 * @param catalog the searches that it may ask: those that siemload brings, and its own
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
     * Who inserts events beside the analysts. Immutable.
     *
     * @param rate events a second; {@link Rate#NONE} for no feeder
     * @param batch events a transaction, 1 to 10,000
     * @param connections over how many connections the batches are spread in turn, 1 or more
     */
    public record Feeder(
            @Key(value = "eps", allowed = "rate") Rate rate,
            @Key(allowed = "1 to 10000", standard = "50") int batch,
            @Key(allowed = "1 to 1000", standard = "1") int connections) {
        /** Whether anything is fed. */
        public boolean isOn() {
            return !rate.isNone();
        }
    }

    /**
     * How long a run takes. Immutable.
     *
     * @param warmup the time before measuring, 0 or more
     * @param measurement the measured time, 1 s or more
     */
    public record Phases(
            @Key(allowed = "0s to 1d") Duration warmup,
            @Key(allowed = "1s to 30d") Duration measurement) {}

    /**
     * The oldest day of the data set is removed while users search and events arrive. Immutable.
     *
     * @param after how long after the start of the measured phase; shorter than that phase
     */
    public record Retention(@Key(allowed = "0s to 1d") Duration after) {}

    public Scenario {
        analysts = List.copyOf(analysts);
        objectives = List.copyOf(objectives);
        statements = List.copyOf(statements);
        values = List.copyOf(values);
    }

    /** Where the first value comes from whose path is such a one, for messages about it; a default where there is none. */
    public Origin origin(Predicate<String> path) {
        return values.stream()
                .filter(value -> path.test(value.name()))
                .findFirst()
                .map(Setting::origin)
                .orElseGet(Origin.Default::new);
    }

    /** The statements that say that they write. */
    public Set<SearchName> writing() {
        return statements.stream()
                .map(StatementPlan::statement)
                .filter(Statement::writes)
                .map(Statement::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Whether its statements are those of a query recording that is played again. */
    public boolean replays() {
        return analysts.stream().anyMatch(group -> group.load() instanceof LoadModel.Replayed);
    }
}
