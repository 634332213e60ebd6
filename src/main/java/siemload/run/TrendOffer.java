package siemload.run;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import siemload.database.Offer;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.Trends;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.SampledAnswer;
import siemload.scenario.AnalystGroup;
import siemload.scenario.ResolvedScenario;
import siemload.scenario.Scenario;

/** What trends need of a target, before any server is touched, before the load, and after it. Stateless. */
final class TrendOffer {

    private TrendOffer() {}

    static boolean isIn(Scenario scenario) {
        return scenario.analysts().stream().anyMatch(AnalystGroup::storesTrend);
    }

    /** @throws siemload.config.ConfigException if the target stores no trends */
    static void require(ResolvedScenario resolved, TargetChoice choice) {
        if (isIn(resolved.scenario())) {
            choice.require(
                    Offer.TRENDS,
                    resolved.origin(path -> path.endsWith(".trend")),
                    "target %s stores no trends (allowed: %s; or leave the groups with a trend out)");
        }
    }

    /** Makes the table, where it is needed. */
    static void create(Scenario scenario, Store store) {
        if (isIn(scenario)) {
            store.trends().orElseThrow().create();
        }
    }

    /**
     * What the trends say of each hour; nothing where no answers are checked at all.
     *
     * @param faults hears why that cannot be read
     */
    static List<SampledAnswer> hours(LoadOutcome measured, Store store, List<String> faults) {
        if (measured.kept().trends().isEmpty() || measured.kept().answers().askedRatio() == 0) {
            return List.of();
        }
        Trends trends = store.trends().orElseThrow();
        try {
            return measured.kept().trends().answers(trends::lines);
        } catch (TargetException unread) {
            faults.add("whether the trends are right is unknown: " + unread.getMessage());
            return List.of();
        }
    }

    /** What was looked at, where nothing was found to be wrong. */
    static Optional<String> note(List<SampledAnswer> hours, CheckedAnswers checked) {
        long lines = hours.stream().mapToLong(SampledAnswer::reportedRows).sum();
        boolean right = !hours.isEmpty()
                && checked.checked() >= hours.size()
                && checked.wrongTrends().isEmpty();
        return right
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "the trends have %d lines of %d hours, all of them as the events say",
                        lines,
                        hours.size()))
                : Optional.empty();
    }
}
