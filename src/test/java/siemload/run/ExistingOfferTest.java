package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.config.ConfigException;
import siemload.config.Setting;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.database.Offer;
import siemload.database.Provision;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.scenario.replay.QueryRecording;
import siemload.scenario.replay.QueryRecordingWriter;
import siemload.scenario.replay.RecordedExecution;
import siemload.scenario.replay.RecordedQuery;

/** Statements and data that are there already go with each other alone, and with a target that can be asked. */
final class ExistingOfferTest {
    private static final String SERVER = "jdbc:postgresql://db.example/bench";

    @Test
    void statementsOnAServerOfOnesOwnNameOnlySettingsThatMeanSomethingToThem() {
        RunPlan plan = plan(Map.of("data", "existing", "url", SERVER));

        assertThat(plan.asksStatements()).isTrue();
        assertThat(names(plan))
                .contains("data", "url", "timeout", "checks")
                .doesNotContain("layout", "partitions", "indexes", "hint", "paging", "reload");
        assertThat(plan.settings().list()).extracting(Setting::name).contains("indexes", "hint", "paging");
        assertThat(names(plan(Map.of("scenario", "hawat")))).contains("indexes", "hint", "paging", "reload");
    }

    static List<TargetPlugin> targetsWithoutStatements() {
        return TargetPlugins.all().stream()
                .filter(plugin -> !plugin.offers(Offer.STATEMENTS))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("targetsWithoutStatements")
    void everyOtherTargetIsRefusedByNameWithThoseThatCanBeAsked(TargetPlugin plugin) {
        Map<String, String> settings = new HashMap<>(Map.of("data", "existing", "target", plugin.id()));
        if (plugin.abilities().provisions().contains(Provision.EXTERNAL)) {
            settings.put("url", "https://db.example:9200");
        }

        assertThatThrownBy(() -> plan(settings))
                .isInstanceOf(ConfigException.class)
                .hasMessage("-Dtarget: target " + plugin.id()
                        + " cannot be asked statements yet (allowed: mongodb, oracle, postgresql)");
    }

    @Test
    void aTargetThatCannotBeAskedIsToldBeforeAnythingElse() {
        assertThatThrownBy(() -> plan(Map.of("target", "memory")))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "-Dtarget: target memory cannot be asked statements yet (allowed: mongodb, oracle, postgresql)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            pgbench-accounts | mongodb | mongodb://db.example/shop | account is written as sql, but target mongodb is asked by command (write it so, or choose another -Dtarget)
            mflix-movies | postgresql | jdbc:postgresql://db.example/bench | title is written as command, but target postgresql is asked by sql
            """)
    void aStatementIsWrittenAsTheTargetIsAsked(String scenario, String target, String url, String message) {
        assertThatThrownBy(() -> plan(Map.of("scenario", scenario, "target", target, "url", url, "data", "existing")))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("scenarios/" + scenario + ".yaml:")
                .hasMessageContaining(message);
    }

    @Test
    void existingDataAreForStatementsOrForALayoutWithoutLoading() {
        assertThatThrownBy(() -> plan(Map.of("scenario", "hawat", "data", "existing", "url", SERVER)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(
                        "-Ddata: existing is for the statements of a scenario, or for searches by a layout"
                                + " without loading, but hawat searches for events by the layout mentat,");
    }

    @Test
    void aLayoutWithoutLoadingSearchesExistingDataOnly() {
        RunPlan plan = plan(searching(Map.of()));
        assertThat(plan.asksExisting()).isTrue();
        assertThat(plan.asksStatements()).isFalse();
        assertThat(plan.variant().layout()).startsWith("pgbench@");

        assertThatThrownBy(() -> plan(Map.of("scenario", "pgbench-history", "layout", "layouts/pgbench")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "has loading: none, so that it searches data that are there already and no others (say so by"
                                + " -Ddata=existing, and where by -Durl)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            scenario | first-pages | the steps of a procedure need siemload's own events
            scenario | hawat | nothing is fed into data that are there already (leave the feeder out, or give -Deps=0)
            scenario | retention | nothing is removed from data that are there already
            scenario | trends | nothing is stored beside data that are there already
            dataset | smoke | -Ddataset: means nothing to data that are there already
            amplify | 2 | -Damplify: means nothing to data that are there already
            indexes | time | target postgresql does not offer 'time' (allowed: native)
            injectors | 2 | asks existing data, which one process does
            """)
    void whatMeansNothingToEventsThatAreThereIsRefused(String property, String value, String message) {
        assertThatThrownBy(() -> plan(searching(Map.of(property, value))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    private static Map<String, String> searching(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(
                Map.of("scenario", "pgbench-history", "data", "existing", "layout", "layouts/pgbench", "url", SERVER));
        all.putAll(more);
        return all;
    }

    @Test
    void statementsAskNothingButExistingData() {
        assertThatThrownBy(() -> plan(Map.of("url", SERVER)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("scenarios/pgbench-accounts.yaml:")
                .hasMessageEndingWith("the statements of pgbench-accounts ask data that are there already (say so by"
                        + " -Ddata=existing, and where by -Durl)");
    }

    @Test
    void aServerThatSiemloadStartsHasNoDataOfOnesOwn() {
        assertThatThrownBy(() -> plan(Map.of("data", "existing")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("-Ddata: existing data are in a database of yours (say where it is by -Durl)");
    }

    @ParameterizedTest
    @CsvSource({"cold", "lukewarm"})
    void aServerOfSomebodyElseIsNotRestarted(String caches) {
        assertThatThrownBy(() -> plan(Map.of("data", "existing", "url", SERVER, "caches", caches)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "-Dcaches: a server with existing data is not restarted to empty its caches (allowed: asFound,"
                                + " hot)");
    }

    private static List<String> names(RunPlan plan) {
        return plan.meaningfulSettings().stream().map(Setting::name).toList();
    }

    @Test
    void aStatementThatWritesIsRefusedUnlessTheUserAllowsIt(@TempDir Path directory) throws IOException {
        Path scenario = Files.writeString(directory.resolve("selling.yaml"), """
                description: something is sold
                statements:
                  stock: {sql: "SELECT count(*) FROM item"}
                  sold: {sql: "UPDATE item SET sold = true", writes: true}
                analysts: [{name: clerks, users: 2, thinkTime: {distribution: constant, value: 20ms}}]
                phases: {warmup: 0s, measurement: 2s}
                """);
        Map<String, String> settings = Map.of("scenario", scenario.toString(), "data", "existing", "url", SERVER);

        assertThatThrownBy(() -> plan(settings))
                .isInstanceOf(ConfigException.class)
                .hasMessage(scenario
                        + ":4:54: sold writes, and what it writes stays (say that it may by"
                        + " -DallowWrites=true)");
        Map<String, String> allowed = new HashMap<>(settings);
        allowed.put("allowWrites", "true");
        assertThat(plan(allowed).scenario().writing()).containsExactly(new SearchName("sold"));
        Map<String, String> reading = new HashMap<>(settings);
        reading.put("searches", "stock");
        assertThat(plan(reading).scenario().writing()).isEmpty();
        assertThatThrownBy(() -> plan(Map.of("data", "existing", "url", SERVER, "allowWrites", "true")))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "-DallowWrites: no statement of pgbench-accounts writes (leave this out, or mark those that do by"
                                + " writes: true in the scenario)");
    }

    @Test
    void aReplayThatWritesIsRefusedByTheNamesOfItsStatements(@TempDir Path directory) throws IOException {
        Statement sold = new Statement(
                new SearchName("item_1"),
                StatementText.scan("UPDATE item SET sold = true").statement(),
                Statement.Effect.WRITES);
        Statement stock = new Statement(
                new SearchName("item_2"), StatementText.scan("TABLE item").statement());
        QueryRecording recording = new QueryRecording(
                directory.resolve("day.gz"),
                Instant.EPOCH,
                1,
                1,
                1,
                5,
                List.of(new RecordedQuery(sold, List.of()), new RecordedQuery(stock, List.of())));
        try (QueryRecordingWriter writer = new QueryRecordingWriter(recording)) {
            writer.add(new RecordedExecution(0, 0, 0, 5, true, List.of()));
        }
        Path again = directory.resolve("again.yaml");
        Files.writeString(again, "description: again\nreplay:\n  recording: day.gz\n");
        Map<String, String> settings =
                new HashMap<>(Map.of("scenario", again.toString(), "data", "existing", "url", SERVER));

        assertThatThrownBy(() -> plan(settings))
                .isInstanceOf(ConfigException.class)
                .hasMessage(again
                        + ":3:14: item_1 writes, and what it writes stays (say that it may by -DallowWrites=true, or leave"
                        + " it out of the replay by without: [item_1])");
        settings.put("allowWrites", "true");
        assertThat(plan(settings).scenario().writing()).containsExactly(new SearchName("item_1"));
        Map<String, String> reading = new HashMap<>(settings);
        reading.remove("allowWrites");
        reading.put("searches", "item_2");
        assertThat(plan(reading).scenario().writing()).isEmpty();
        Files.writeString(again, Files.readString(again) + "  without: [item_1]\n");
        assertThatThrownBy(() -> plan(settings))
                .isInstanceOf(ConfigException.class)
                .hasMessage("-DallowWrites: no statement of again writes (leave this out, or take those that do by"
                        + " learn-queries --replay --writes)");
    }

    private static RunPlan plan(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(Map.of("scenario", "pgbench-accounts"));
        all.putAll(properties);
        return RunPlan.read(Settings.of(new SettingSources(Map.of(), all, Map.of())), Path.of(""));
    }
}
