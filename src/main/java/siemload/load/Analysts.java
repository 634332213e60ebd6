package siemload.load;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import siemload.dataset.SeededRandom;
import siemload.run.Shard;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.rate.Rate;

/** Turns a group of analysts, or of tasks, into a Gatling population. Stateless. */
final class Analysts {
    private static final Duration SHORTEST_SLICE = Duration.ofMillis(100);
    private static final int MOST_SLICES = 36_000;

    private Analysts() {}

    /**
     * The population of one group.
     *
     * @param groupIndex its position in the scenario, which keeps the random numbers of groups apart
     */
    static PopulationBuilder population(LoadEngine engine, AnalystGroup group, int groupIndex) {
        long seed = SeededRandom.mix(engine.seed(), groupIndex);
        if (group.load() instanceof LoadModel.Scheduled schedule) {
            return scenario(group.name())
                    .exec(byTheClock(group, schedule, seed))
                    .injectOpen(atOnceUsers(schedule.tasks()));
        }
        if (group.load() instanceof LoadModel.Replayed replayed) {
            return scenario(group.name()).exec(playing(group, replayed, seed)).injectOpen(atOnceUsers(1));
        }
        UserStates states = new UserStates(engine, group, seed);
        ScenarioBuilder session = scenario(group.name()).exec(searching(states, group));
        if (group.load() instanceof LoadModel.Open open) {
            return session.injectOpen(arriving(states.thereAtStart(), open.arrivals(), engine));
        }
        return session.injectOpen(atOnceUsers(engine.shard().of(((LoadModel.Closed) group.load()).users())));
    }

    /** Whether any users of a group belong to a shard. */
    static boolean areHere(Shard shard, AnalystGroup group) {
        return !(group.load() instanceof LoadModel.Closed closed) || shard.of(closed.users()) > 0;
    }

    /** One who does nothing but come: the load of a shard begins at the agreed instant, whenever its first user is due. */
    static PopulationBuilder starter() {
        ActionBuilder nothing = () -> (context, next) -> {
            var unused = context.protocolComponentsRegistry().components(SearchProtocol.KEY);
            return next;
        };
        return scenario("start").exec(nothing).injectOpen(atOnceUsers(1));
    }

    /** Users are there shortly before they are due, and then wait: a late start must not make them late. */
    private static OpenInjectionStep[] arriving(int thereAtStart, Rate rate, LoadEngine engine) {
        Duration duration = engine.duration();
        Timetable timetable = Timetable.ofArrivals(0, rate);
        long slice = Math.max(SHORTEST_SLICE.toNanos(), duration.toNanos() / MOST_SLICES);
        List<OpenInjectionStep> steps = new ArrayList<>();
        steps.add(atOnceUsers(thereAtStart));
        Duration pause = Duration.ZERO;
        for (long from = 0; from < duration.toNanos(); from += slice) {
            long until = Math.min(from + slice, duration.toNanos());
            int users = Math.toIntExact(engine.shard().below(timetable.dueBefore(until))
                    - engine.shard().below(timetable.dueBefore(from)));
            if (users > 0) {
                steps.add(nothingFor(pause));
                steps.add(atOnceUsers(users));
                pause = Duration.ZERO;
            }
            pause = pause.plusNanos(until - from);
        }
        return steps.toArray(OpenInjectionStep[]::new);
    }

    private static ActionBuilder byTheClock(AnalystGroup group, LoadModel.Scheduled schedule, long seed) {
        return () -> (context, next) -> new TaskAction(context, next, group, schedule, seed);
    }

    private static ActionBuilder playing(AnalystGroup group, LoadModel.Replayed replayed, long seed) {
        return () -> (context, next) -> new ReplayAction(context, next, group, replayed, seed);
    }

    private static ActionBuilder searching(Supplier<UserState> states, AnalystGroup group) {
        return () -> (context, next) -> new UserAction(context, next, states, group);
    }
}
