package siemload.load;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
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
        AtomicLong users = new AtomicLong();
        long groupSeed = SeededRandom.mix(engine.seed(), groupIndex);
        Supplier<UserState> states = () -> {
            long user = users.getAndIncrement();
            return new UserState(
                    engine.analyst(group, SeededRandom.mix(groupSeed, user)),
                    group.maxRunning(),
                    stay(group.load()),
                    arrivalNanos(engine, group.load(), user));
        };
        ScenarioBuilder session = scenario(group.name()).exec(searching(states, group.patience()));
        if (group.load() instanceof LoadModel.Open open) {
            return session.injectOpen(
                    constantUsersPerSec(open.arrivalsPerSecond()).during(engine.duration()));
        }
        return session.injectOpen(atOnceUsers(((LoadModel.Closed) group.load()).users()));
    }

    /** By the timetable, not when Gatling came round to it: a generator that stalls must not delay the clock as well. */
    private static long arrivalNanos(LoadEngine engine, LoadModel load, long user) {
        return load instanceof LoadModel.Open open
                ? Timetable.ofArrivals(engine.startNanos(), open.arrivalsPerSecond())
                        .dueNanos(user)
                : System.nanoTime();
    }

    private static UserState.Stay stay(LoadModel load) {
        return load instanceof LoadModel.Open ? UserState.Stay.ONE_INVESTIGATION : UserState.Stay.WHOLE_RUN;
    }

    private static ActionBuilder searching(Supplier<UserState> states, Duration patience) {
        return () -> (context, next) -> new UserAction(context, next, states, patience);
    }
}
