package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.InEveryLocale;
import siemload.config.ConfigException;

/** Each case changes one thing in the small scenario and expects the whole message. */
class InvalidScenarioTest extends ScenarioReading {

    static Stream<Arguments> mistakes() {
        return Stream.of(
                arguments("description: small\n", "", "1:1: description: is missing"),
                arguments(
                        "description: small",
                        "description: small\nretention: {after: 2h}",
                        "2:20: retention.after: is not within the measured phase, which takes 1m (give a shorter"
                                + " time, or a longer phases.measurement)"),
                arguments(
                        "description: small",
                        "description: small\nretention: {drop: newestDay, after: 1s}",
                        "2:19: retention.drop: 'newestDay' is unknown (did you mean oldestDay? allowed: oldestDay)"),
                arguments("description: small", "description:", "1:13: description: found nothing (allowed: text)"),
                arguments("analysts:", "analystz:", """
                        1:1: analysts: is missing
                        2:1: analystz: unknown key (did you mean analysts? known keys here: description, replay, statements, dataset, ownSearches, procedure, analysts, feeder, phases, objectives, retention)"""),
                arguments(
                        "users: 10",
                        "users: ten",
                        "4:12: analysts[tier-1].users: 'ten' is not a whole number (allowed: 1 to 100000)"),
                arguments(
                        "users: 10", "users: 0", "4:12: analysts[tier-1].users: 0 is too small (allowed: 1 to 100000)"),
                arguments("    users: 10\n", "", "3:5: analysts[tier-1].users: is missing"),
                arguments("users: 10", "{users: 10, load: opn}", "5:5: this is not YAML: could not find expected ':'"),
                arguments(
                        "users: 10",
                        "users: 10\n    load: opn",
                        "5:11: analysts[tier-1].load: 'opn' is unknown (did you mean open? allowed: closed, open, scheduled)"),
                arguments(
                        "users: 10",
                        "users: 10\n    load: open\n    arrivals: 2/s",
                        "4:12: analysts[tier-1].users: is for load: closed, but it is open"
                                + " (give arrivals, for example 2/s)"),
                arguments(
                        "users: 10",
                        "users: 10\n    arrivals: 2/s",
                        "5:15: analysts[tier-1].arrivals: is for load: open, but it is closed (leave it out)"),
                arguments(
                        "users: 10",
                        "load: open\n    arrivals: 2",
                        "5:15: analysts[tier-1].arrivals: '2' is not a rate (write for example 200/s, ramp from 50/s to 500/s in 5m, steps 100/s"
                                + " for 1m, 200/s for 1m, burst of 5000 in 2s every 1m beside 50/s, day from 50/s to"
                                + " 400/s in 24h)"),
                arguments(
                        "users: 10",
                        "load: open\n    arrivals: 0/s",
                        "5:15: analysts[tier-1].arrivals: nobody ever arrives (allowed: a rate above 0)"),
                arguments("users: 10", "users: 10\n    maxRunning: {user: 0, grup: 20}", """
                        5:17: analysts[tier-1].maxRunning.group: is missing
                        5:24: analysts[tier-1].maxRunning.user: 0 is too small (allowed: 1 to 1000)
                        5:27: analysts[tier-1].maxRunning.grup: unknown key (did you mean group? known keys here: user, group)"""),
                arguments(
                        "users: 10",
                        "users: 10\n    every: 5m",
                        "5:12: analysts[tier-1].every: is for load: scheduled, but it is closed (leave it out)"),
                arguments(
                        "users: 10\n    actions: {min: 4, max: 11}",
                        "load: scheduled\n    tasks: 0\n    every: 0s\n    users: 3\n    actions: {min: 4, max: 11}",
                        """
                        5:12: analysts[tier-1].tasks: 0 is too small (allowed: 1 to 100000)
                        6:12: analysts[tier-1].every: 0s is too small (allowed: 1ms to 30d)
                        7:12: analysts[tier-1].users: is for load: closed, but it is scheduled (give tasks, for example 20)
                        8:14: analysts[tier-1].actions: is for users, but tasks search by the clock (leave it out)
                        9:16: analysts[tier-1].thinkTime: is for users, but tasks search by the clock (leave it out)
                        10:12: analysts[tier-1].pause: is for users, but tasks search by the clock (leave it out)"""),
                arguments(
                        "name: tier-1",
                        "name: tier 1",
                        "3:11: analysts[tier 1].name: 'tier 1' is not a name"
                                + " (allowed: up to 60 of A-Z a-z 0-9 _ . -, first a letter or digit)"),
                arguments(
                        "min: 4, max: 11",
                        "min: 4, max: 3",
                        "5:28: analysts[tier-1].actions.max: 3 is less than min, which is 4"),
                arguments("{min: 4, max: 11}", "{min: 4, maximum: 11}", """
                        5:14: analysts[tier-1].actions.max: is missing
                        5:23: analysts[tier-1].actions.maximum: unknown key (known keys here: min, max)"""),
                arguments(
                        "mean: 4s",
                        "mean: 4",
                        "6:50: analysts[tier-1].thinkTime.mean: '4' is not a duration"
                                + " (allowed: 0s to 1d, for example 500ms, 30s, 5m, 1h30m, 7d)"),
                arguments(
                        "exponential, mean: 4s",
                        "exponentail, mean: 4s",
                        "6:31: analysts[tier-1].thinkTime.distribution: 'exponentail' is unknown"
                                + " (did you mean exponential? allowed: exponential, constant, uniform)"),
                arguments(
                        "exponential, mean: 4s",
                        "uniform, min: 5s, max: 4s",
                        "6:54: analysts[tier-1].thinkTime.max: 4s is less than min, which is 5s"),
                arguments(
                        "{7d: 1}",
                        "{7x: 1}",
                        "8:14: analysts[tier-1].window.7x: '7x' is not a window"
                                + " (allowed: all, or 1s to 3660d, for example 24h)"),
                arguments(
                        "{7d: 1}",
                        "{1d: 1, 24h: 1}",
                        "8:21: analysts[tier-1].window.24h: '24h' is as long as another window here (leave one out)"),
                arguments(
                        "{HAWAT1: 30}",
                        "{HAWAT8: 30}",
                        "9:11: analysts[tier-1].mix.HAWAT8: unknown key (did you mean HAWAT1? allowed: MENTAT, HAWAT1,"
                                + " HAWAT2, HAWAT3, HAWAT4, HAWAT5, HAWAT6, HAWAT7, OTHER1, OTHER2, DETAIL, TEXT, TIMELINE,"
                                + " TOPLIST, SERVICE, TOPPORTS, SOURCE, TARGET, SOURCENET, TARGETNET, WITHIN,"
                                + " SOURCELIST, TARGETLIST, PORT, SOURCEPORT, TARGETPORT, DESCRIPTION, TOPCATEGORIES, TOPSOURCES,"
                                + " TOPHOURS, ADDRESSTIMELINE, CATEGORYSOURCES, DETECTORHOURS)"),
                arguments(
                        "{HAWAT1: 30}",
                        "{HAWAT1: 0}",
                        "9:10: analysts[tier-1].mix: has no weight above 0 (needed: at least one)"),
                arguments(
                        "{HAWAT1: 30}",
                        "{}",
                        "9:10: analysts[tier-1].mix: has no weight above 0 (needed: at least one)"),
                arguments(
                        "{HAWAT1: 30}",
                        "HAWAT1",
                        "9:10: analysts[tier-1].mix: found 'HAWAT1' (allowed: a mapping (key: value))"),
                arguments(
                        "{HAWAT1: 30}",
                        "{HAWAT1: -1}",
                        "9:19: analysts[tier-1].mix.HAWAT1: -1 is too small (allowed: 0 to 1000000)"),
                arguments(
                        "{size: 100}",
                        "{size: 100, deeper: 30}",
                        "10:31: analysts[tier-1].page.deeper: 30 is too large (allowed: 0 to 1)"),
                arguments(
                        "{size: 100}",
                        "{size: 100, deeper: 0.3, maximum: 0}",
                        "10:45: analysts[tier-1].page.maximum: 0 is too small (allowed: 1 to 1000000)"),
                arguments(
                        "{size: 100}",
                        "{size: 100, deeper: 0.3, maximum: 1}",
                        "10:45: analysts[tier-1].page.maximum: 1 leaves no page for deeper, which is 0.3"
                                + " (allowed: 2 or more)"),
                arguments(
                        "{size: 100}",
                        "{size: 100, deeper: 0.75, lastPage: 0.5}",
                        "10:11: analysts[tier-1].page: deeper and lastPage add up to 1.25 (allowed: at most 1 together)"),
                arguments("{size: 100}", "all", "10:11: analysts[tier-1].page: 'all' is unknown (allowed: whole)"),
                arguments(
                        "{size: 100}",
                        "{size: 100}\n    order: {unsorted: 1}",
                        "11:12: analysts[tier-1].order: unsorted is for page: whole"
                                + " (a page of unordered rows means nothing)"),
                arguments(
                        "{size: 100}",
                        "{size: 100}\n    order: {newest: 1}",
                        "11:13: analysts[tier-1].order.newest: unknown key"
                                + " (allowed: newestFirst, oldestFirst, unsorted)"),
                arguments(
                        "eps: 200, batch: 50",
                        "eps: 5k, batch: 50",
                        "11:15: feeder.eps: '5k' is not a number (allowed: 0 to 10000000)"),
                arguments(
                        "eps: 200, batch: 50",
                        "eps: 200, batch: 20000",
                        "11:27: feeder.batch: 20000 is too large (allowed: 1 to 10000)"),
                arguments(
                        "eps: 200, batch: 50",
                        "eps: 0.5, batch: 50",
                        "11:27: feeder.batch: 50 events a batch are never filled while measuring"
                                + " (0.5/s for 1m allow at most 30)"),
                arguments(
                        "eps: 200, batch: 50",
                        "eps: 200, profile: burst",
                        "11:29: feeder.profile: 'burst' is unknown (allowed: constant)"),
                arguments(
                        "eps: 200, batch: 50",
                        "eps: 200, rate: 200/s",
                        "11:15: feeder.eps: says the rate a second time (leave eps or rate out)"),
                arguments(
                        "eps: 200, batch: 50",
                        "rate: burst of 5 in 2m every 1m",
                        "11:16: feeder.rate: a burst of 2m cannot begin every 1m (allowed: a burst shorter than that)"),
                arguments(
                        "eps: 200, batch: 50",
                        "rate: ramp from 0/s to 10/s in 1h",
                        "11:16: feeder.batch: 50 events a batch are never filled while measuring"
                                + " (ramp from 0/s to 10/s in 1h for 1m allow at most 7)"),
                arguments(
                        "measurement: 60s",
                        "measurement: 0s",
                        "12:36: phases.measurement: 0s is too small (allowed: 1s to 30d)"),
                arguments("analysts:", "analysts: []\nother:", """
                        2:11: analysts: is empty (needed: at least one group)
                        3:1: other: unknown key (known keys here: description, replay, statements, dataset, ownSearches, procedure, analysts, feeder, phases, objectives, retention)"""));
    }

    static Stream<Arguments> wrongObjectives() {
        return Stream.of(
                arguments(
                        "HAWAT9 responseTime p95 < 2s",
                        "14:5: objectives[0]: 'HAWAT9' is unknown (did you mean HAWAT1? allowed: MENTAT, HAWAT1, HAWAT2,"
                                + " HAWAT3, HAWAT4, HAWAT5, HAWAT6, HAWAT7, OTHER1, OTHER2, DETAIL, TEXT, TIMELINE,"
                                + " TOPLIST, SERVICE, TOPPORTS, SOURCE, TARGET, SOURCENET, TARGETNET, WITHIN,"
                                + " SOURCELIST, TARGETLIST, PORT, SOURCEPORT, TARGETPORT, DESCRIPTION, TOPCATEGORIES, TOPSOURCES,"
                                + " TOPHOURS, ADDRESSTIMELINE, CATEGORYSOURCES, DETECTORHOURS, CATEGORYTREND, DETECTORTREND,"
                                + " PORTTREND, SOURCETREND, HOURTREND, all, feeder)"),
                arguments(
                        "HAWAT1 responsetime p95 < 2s",
                        "14:12: objectives[0]: 'responsetime' is unknown (did you mean responseTime? allowed:"
                                + " responseTime, serviceTime, firstEvent, lastEvent, workerWait, errorRatio)"),
                arguments(
                        "HAWAT1 responseTime < 2s",
                        "14:25: objectives[0]: '<' is unknown"
                                + " (allowed: min, mean, p50, p90, p95, p99, p999, max)"),
                arguments(
                        "HAWAT1 responseTime p95 = 2s",
                        "14:29: objectives[0]: '=' is unknown (did you mean <? allowed: <, <=, >, >=)"),
                arguments(
                        "HAWAT1 responseTime p95 < 2",
                        "14:31: objectives[0]: '2' is not a duration"
                                + " (allowed: 1us to 1d, for example 500ms, 30s, 5m, 1h30m, 7d)"),
                arguments(
                        "'HAWAT1 responseTime p95 < 2s please'",
                        "14:35: objectives[0]: 'please' follows after the end (leave it out)"),
                arguments("HAWAT1 responseTime p95", "14:28: objectives[0]: ends too early (next: < | <= | > | >=)"),
                arguments("all errorRatio <= 5", "14:23: objectives[0]: 5 is too large (allowed: 0 to 1)"),
                arguments(
                        "feeder errorRatio <= 0.1",
                        "14:12: objectives[0]: 'errorRatio' is unknown (allowed: achievedRatio)"),
                arguments(
                        "HAWAT3 responseTime p95 < 2s",
                        "14:5: objectives[0]: no group searches HAWAT3 (add it to a mix, or leave this out)"),
                arguments("[]", "14:5: objectives[0]: found a list (allowed: text)"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("mistakes")
    void aMistakeIsReportedWithItsPlace(String good, String bad, String expected) {
        assertThat(ScenarioFiles.SMALL).contains(good);

        String problems = files.problemsOf(ScenarioFiles.SMALL.replace(good, bad), Map.of());

        assertThat(problems).isEqualTo(inFile(expected));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongObjectives")
    void aWrongObjectiveIsReportedWithItsColumn(String objective, String expected) {
        String yaml = ScenarioFiles.SMALL + "objectives:\n  - " + objective + "\n";

        assertThat(files.problemsOf(yaml, Map.of())).isEqualTo(inFile(expected));
    }

    @Test
    void anObjectiveForAFeederThatIsNotThereIsAMistake() {
        String yaml =
                ScenarioFiles.SMALL.replaceAll("feeder:.*\n", "") + "objectives:\n  - feeder achievedRatio >= 0.99\n";

        assertThat(files.problemsOf(yaml, Map.of()))
                .isEqualTo(inFile(
                        "13:5: objectives[0]: there is no feeder (give feeder.eps or feeder.rate, or leave this out)"));
    }

    @Test
    void aMistakeDoesNotCauseMessagesElsewhere() {
        String yaml = ScenarioFiles.SMALL.replace("eps: 200", "eps: 5k").replace("HAWAT1: 30", "HAWAT1: x")
                + "objectives:\n  - feeder achievedRatio >= 0.99\n  - HAWAT3 responseTime p95 < 2s\n";

        assertThat(files.problemsOf(yaml, Map.of("users", "5", "page", "5"))).isEqualTo(inFile("""
                                9:19: analysts[tier-1].mix.HAWAT1: 'x' is not a number (allowed: 0 to 1000000)
                                11:15: feeder.eps: '5k' is not a number (allowed: 0 to 10000000)"""));
    }

    @Test
    void twoGroupsOfTheSameNameAreAMistake() {
        String group = ScenarioFiles.SMALL.substring(
                ScenarioFiles.SMALL.indexOf("  - name"), ScenarioFiles.SMALL.indexOf("feeder:"));
        String yaml = ScenarioFiles.SMALL.replace("feeder:", group + "feeder:");

        assertThat(files.problemsOf(yaml, Map.of()))
                .isEqualTo(inFile("11:11: analysts[tier-1].name: 'tier-1' is the name of another group already"));
    }

    @Test
    void theMessageShowsTheLineWithACaret() {
        String yaml = ScenarioFiles.SMALL.replace("min: 4", "min: few");

        ConfigException thrown = catchThrowableOfType(ConfigException.class, () -> files.read(yaml, Map.of()));

        assertThat(thrown).hasMessage("""
                        scenarios/x.yaml:5:20: analysts[tier-1].actions.min: 'few' is not a whole number (allowed: 1 to 1000)
                          5 |     actions: {min: few, max: 11}
                            |                    ^""");
    }

    @InEveryLocale
    void messagesDoNotDependOnTheLocale() {
        String yaml = ScenarioFiles.SMALL.replace("eps: 200", "eps: 0.5").replace("{HAWAT1: 30}", "{HAWAT1: 1.5}");

        assertThat(files.problemsOf(yaml, Map.of()))
                .isEqualTo(inFile("11:27: feeder.batch: 50 events a batch are never filled while measuring"
                        + " (0.5/s for 1m allow at most 30)"));
    }

    private static String inFile(String expected) {
        return "scenarios/x.yaml:" + expected.replace("\n", "\nscenarios/x.yaml:");
    }
}
