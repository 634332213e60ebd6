package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.util.DefaultLocale;
import siemload.GoldenFile;
import siemload.config.ConfigException;
import siemload.config.Origin;

/**
 * What is wrong with a scenario is told with its place. A case begins with the name of a good scenario; then follow, behind bars, what
 * is written in it in place of something else, what is added at its end, and properties.
 */
@Tag("every-java")
class ScenarioMessagesTest extends ScenarioReading {
    private static final String LOAD_OF_CLERKS = """
            analysts: [{name: clerks, users: 3, thinkTime: {distribution: constant, value: 1s}}]
            phases: {warmup: 0s, measurement: 10s}
            """;

    private static final Map<String, String> GOOD = Map.of(
            "small",
            ScenarioFiles.SMALL,
            "groups",
            ScenarioFiles.SMALL.replace(
                    "feeder:",
                    group("tier-2", "users: 5")
                            + group("few", "load: open, arrivals: 1/s")
                            + group("many", "load: open, arrivals: 3/s")
                            + "  - {name: hourly, load: scheduled, tasks: 2, every: 10s, trend: source}\nfeeder:"),
            "own",
            ScenarioFiles.SMALL + "ownSearches:\n  ssh: {description: on SSH, criteria: [{port: 22}]}\n",
            "statements",
            "description: small\nstatements:\n"
                    + "  by_user: {sql: \"SELECT * FROM t WHERE u = :user\", values: {user: [ann, bob]}}\n"
                    + LOAD_OF_CLERKS,
            "rules",
            """
            description: rules
            analysts:
              - name: rules
                load: scheduled
                tasks: 500
                every: 5m
                trend: hour
            phases: {warmup: 15s, measurement: 60s}
            """,
            "read",
            """
            description: reads
            procedure:
              steps: [read]
              searches: [HAWAT1, HAWAT3]
              page: {size: 100}
            """,
            "users",
            "description: jobs\n"
                    + "procedure: {steps: [users], searches: [HAWAT1], page: {size: 20}, levels: [1, 1_000]}\n",
            "load",
            "description: takes events\nprocedure: {steps: [load, read], matching: {few: {search: HAWAT1, most: 9}}}\n",
            "transactions",
            ProcedureReaderTest.TRANSACTIONS,
            "replay",
            "description: again\nreplay: {recording: day.jsonl.gz}\n");

    @Test
    void eachMistakeIsToldWithItsPlace() throws IOException {
        ReplayReaderTest.record(home);
        Files.writeString(home.resolve("scenarios/others.csv"), "name\nann\n");
        Files.writeString(home.resolve("scenarios/ragged.csv"), "user,day\nann,1\nbob\n");
        Files.writeString(home.resolve("scenarios/open.csv"), "user\n\"a\nb\"\n\"bob\ncid\n");
        Files.writeString(home.resolve("scenarios/joined.csv"), "user\nann\n\uFEFFuser\nbob\n");
        Files.writeString(home.resolve("scenarios/doubled.csv"), "user,user\nann,bob\n");
        Files.writeString(home.resolve("scenarios/nul.csv"), "user\nann\nb\0b\n");

        GoldenFile.of("messages/scenario.txt").assertEach(this::messages);
    }

    @Test
    void settingsTakeThePlaceOfWhatTheFileSays() throws IOException {
        GoldenFile.of("scenario-values.txt")
                .assertEach(line -> written(line, (yaml, properties) -> {
                    Scenario read = files.read(yaml, properties);
                    Stream<String> given = read.values().stream()
                            .filter(value -> !(value.origin() instanceof Origin.InFile
                                    || value.origin() instanceof Origin.Default))
                            .map(value -> value.name() + ": " + value.value() + " (" + value.origin() + ")");
                    Stream<String> left = Stream.concat(
                            read.analysts().stream().map(AnalystGroup::name),
                            read.objectives().stream().map(Objective::text));
                    return Stream.concat(given, left).collect(Collectors.joining("\n"));
                }));
    }

    private static String group(String name, String load) {
        return "  - {name: " + name + ", " + load
                + ", thinkTime: {distribution: constant, value: 1s}, window: {all: 1},"
                + " mix: {HAWAT1: 30, HAWAT3: 20}, page: whole}\n";
    }

    private String messages(String line) {
        return written(line, files::problemsOf).replace(home + "/", "");
    }

    private static String written(String line, BiFunction<String, Map<String, String>, String> comesTo) {
        String[] parts = line.split(" \\| ");
        String yaml = GOOD.get(parts[0]);
        Map<String, String> properties = new HashMap<>();
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].replace("\\n", "\n");
            String[] change = part.split(" =>(?: |$)", -1);
            if (part.startsWith("-D")) {
                properties.put(part.substring(2, part.indexOf('=')), part.substring(part.indexOf('=') + 1));
            } else if (part.startsWith("+ ")) {
                yaml += part.substring(2) + "\n";
            } else {
                assertThat(yaml).contains(change[0]);
                yaml = yaml.replace(change[0], change[1]);
            }
        }
        return comesTo.apply(yaml, properties);
    }

    @Test
    @DefaultLocale("tr-TR-u-nu-arab")
    void theLineIsShownUpToWhatIsWrongAndNumbersAreTheSameInAnyLocale() {
        String few = ScenarioFiles.SMALL.replace("min: 4", "min: few");
        String slow = ScenarioFiles.SMALL.replace("eps: 200", "eps: 0.5");

        assertThat(catchThrowableOfType(ConfigException.class, () -> files.read(few, Map.of())))
                .hasMessage("""
                        scenarios/x.yaml:5:20: analysts[tier-1].actions.min: 'few' is not a whole number (allowed: 1 to 1000)
                          5 |     actions: {min: few
                            |                    ^""");
        assertThat(files.problemsOf(slow, Map.of())).endsWith("(0.5/s for 1m allow at most 30)");
    }
}
