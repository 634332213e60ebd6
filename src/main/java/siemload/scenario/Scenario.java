package siemload.scenario;

import java.util.List;

/**
 * A scenario after all overrides: what one run does. Immutable.
 *
 * @param name the file name without its ending
 * @param description one sentence for people
 * @param dataset the data set's name or path
 * @param analysts the groups of users, at least one
 * @param feeder who inserts events meanwhile
 * @param phases how long
 * @param objectives what the run is held to; may be empty
 */
public record Scenario(
        String name,
        String description,
        String dataset,
        List<AnalystGroup> analysts,
        Feeder feeder,
        Phases phases,
        List<Objective> objectives) {

    public Scenario {
        analysts = List.copyOf(analysts);
        objectives = List.copyOf(objectives);
    }
}
