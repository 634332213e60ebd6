package siemload.run;

import java.util.Optional;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.database.Offer;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.Scenario;

/** Whether the load of a run can be made by several injectors, before any server is touched. Stateless. */
final class InjectorsOffer {
    private InjectorsOffer() {}

    /** @throws ConfigException if it cannot, with what speaks against it */
    static void require(RunPlan plan) {
        requireReach(plan);
        if (!plan.isInjected()) {
            return;
        }
        refusal(plan).ifPresent(why -> {
            throw new ConfigException(
                    plan.settings().origin(Property.INJECTORS),
                    plan.injectors() + " injectors cannot make this load: " + why);
        });
    }

    private static void requireReach(RunPlan plan) {
        if (plan.settings().onKubernetes()) {
            PodReach.refusal(plan).ifPresent(why -> {
                throw new ConfigException(
                        plan.settings().origin(Property.IMAGE),
                        "is that of pods, which could not reach the database: " + why);
            });
        }
    }

    private static Optional<String> refusal(RunPlan plan) {
        Scenario scenario = plan.scenario();
        if (plan.isProcedure()) {
            return Optional.of("scenario " + scenario.name() + " is a procedure, which one process follows (leave"
                    + " injectors out)");
        }
        if (plan.asksExisting()) {
            return Optional.of("scenario " + scenario.name() + " asks "
                    + (plan.asksStatements() ? "statements of " : "") + "existing data, which one process does (leave"
                    + " injectors out)");
        }
        return plan.choice()
                .refusal(
                        Offer.SHARED_STORES,
                        "on target %s only one process can work on the store of a run (allowed: %s; or leave injectors"
                                + " out)")
                .or(() -> refusal(scenario))
                .or(() -> tooFew(plan));
    }

    private static Optional<String> refusal(Scenario scenario) {
        if (scenario.retention().isPresent()) {
            return Optional.of(
                    "retention drops a day by one of them, and the others could not tell right answers (leave"
                            + " retention or injectors out)");
        }
        return scenario.analysts().stream()
                .flatMap(group -> refusal(group).stream())
                .findFirst();
    }

    private static Optional<String> refusal(AnalystGroup group) {
        if (group.load() instanceof LoadModel.Scheduled) {
            return Optional.of("the tasks of group " + group.name()
                    + " go by the clock of one process (leave the group or injectors out)");
        }
        return Optional.empty();
    }

    /** One without users would wait for the end, and tell nothing. */
    private static Optional<String> tooFew(RunPlan plan) {
        boolean arrive = plan.scenario().analysts().stream().anyMatch(group -> group.load() instanceof LoadModel.Open);
        int most = plan.scenario().analysts().stream()
                .mapToInt(group -> group.load().defaultWorkers())
                .max()
                .orElse(0);
        if (!arrive && most < plan.injectors()) {
            return Optional.of("its largest group has " + most + " users, so that some would have none (allowed: 1 to "
                    + Math.max(1, most) + ", or more -Dusers)");
        }
        int workers = plan.workers();
        return workers < plan.injectors()
                ? Optional.of("there are " + workers + " -Dworkers, so that some would have none (allowed: 1 to "
                        + workers + ")")
                : Optional.empty();
    }
}
