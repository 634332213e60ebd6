package siemload.load;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import java.time.Duration;
import java.util.function.Supplier;
import siemload.dataset.SeededRandom;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;

/** Turns a group of analysts into a Gatling population. Stateless. */
final class Analysts {
    private Analysts() {}

    /**
     * The population of one group.
     *
     * @param groupIndex its position in the scenario, which keeps the random numbers of groups apart
     */
    static PopulationBuilder population(LoadEngine engine, AnalystGroup group, int groupIndex) {
        UserStates states = new UserStates(engine, group, SeededRandom.mix(engine.seed(), groupIndex));
        ScenarioBuilder session = scenario(group.name()).exec(searching(states, group.patience()));
        if (group.load() instanceof LoadModel.Open open) {
            return session.injectOpen(
                    atOnceUsers(states.thereAtStart()),
                    constantUsersPerSec(open.arrivalsPerSecond()).during(engine.duration()));
        }
        return session.injectOpen(atOnceUsers(((LoadModel.Closed) group.load()).users()));
    }

    private static ActionBuilder searching(Supplier<UserState> states, Duration patience) {
        return () -> (context, next) -> new UserAction(context, next, states, patience);
    }
}
