package siemload.run;

import java.util.List;
import java.util.Locale;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.database.TargetPlugin.Offer;
import siemload.results.ScheduleResult;
import siemload.scenario.LoadModel;
import siemload.scenario.ResolvedScenario;
import siemload.scenario.Scenario;

/** Whether what ticks read and write can be counted, before any server is touched, and what became of that. Stateless. */
final class TickIoOffer {

    private TickIoOffer() {}

    /** @throws ConfigException if nothing is done by the clock, or the target does not tell of single sessions */
    static void require(ResolvedScenario resolved, TargetChoice choice) {
        if (!resolved.scenario().countsTickIo()) {
            return;
        }
        Origin origin = resolved.origin("ticks.io");
        if (resolved.scenario().analysts().stream().noneMatch(group -> group.load() instanceof LoadModel.Scheduled)) {
            throw new ConfigException(
                    origin, "ticks.io: no group of this scenario has ticks (none has load: scheduled; leave it out)");
        }
        choice.require(
                Offer.SESSION_COUNTS,
                origin,
                "ticks.io: target %s does not tell what single sessions read and write (allowed: %s; or leave it out)");
    }

    /** Of which ticks it was not counted although it was asked for. */
    static List<String> gaps(List<ScheduleResult> schedules, Scenario scenario) {
        if (!scenario.countsTickIo()) {
            return List.of();
        }
        return schedules.stream()
                .filter(group ->
                        group.ioCounted() < group.ticks().run() - group.ticks().failed())
                .map(group -> String.format(
                        Locale.ROOT,
                        "what %d of %d answered ticks of %s read was not counted: %s",
                        group.ticks().run() - group.ticks().failed() - group.ioCounted(),
                        group.ticks().run() - group.ticks().failed(),
                        group.group(),
                        group.ioCounted() == 0
                                ? "the server does not tell it of single sessions, or not to this user"
                                : "their sessions had just done something else"))
                .toList();
    }
}
