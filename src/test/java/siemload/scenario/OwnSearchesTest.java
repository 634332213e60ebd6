package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.query.Criterion.PortUsed;
import siemload.query.CriterionTemplate;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;

class OwnSearchesTest {
    private static final String SCENARIO = ScenarioFiles.SMALL
            .replace("description: small\n", "description: small\nownSearches: mine\n")
            .replace("{HAWAT1: 30}", "{HAWAT1: 30, ssh: 1}")
            .concat("objectives: [ssh responseTime p95 < 2s]\n");

    private final ScenarioFiles files;
    private final Path own;

    OwnSearchesTest(@TempDir Path home) {
        this.files = new ScenarioFiles(home);
        this.own = home.resolve("scenarios/mine");
    }

    @BeforeEach
    void bring() {
        bring("ssh", "{description: on SSH, criteria: [{port: 22}]}");
    }

    private void bring(String name, String yaml) {
        try {
            Files.createDirectories(own);
            Files.writeString(own.resolve(name + ".yaml"), yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void namesInMixesAndObjectivesMayBeThoseOfTheScenario() {
        ResolvedScenario read = files.read(SCENARIO, Map.of());

        SearchName ssh = new SearchName("ssh");
        assertThat(read.catalog().own()).extracting(SearchDefinition::name).containsExactly(ssh);
        assertThat(read.catalog().get(ssh).criteria()).containsExactly(new CriterionTemplate.Fixed(new PortUsed(22)));
        assertThat(read.scenario().analysts().get(0).searched().mix().possible())
                .containsExactly(SearchName.HAWAT1, ssh);
        assertThat(read.scenario().objectives()).hasSize(1);
        assertThat(read.values())
                .anyMatch(value -> value.name().equals("ownSearches.ssh")
                        && value.origin().toString().equals("scenarios/mine/ssh.yaml"));
        assertThat(files.read(SCENARIO.replace("[ssh", "[all"), Map.of("searches", "ssh"))
                        .scenario()
                        .analysts()
                        .get(0)
                        .searched()
                        .mix()
                        .possible())
                .containsExactly(ssh);
    }

    @Test
    void proceduresMayAskThem() {
        String procedure = """
                description: read
                ownSearches: mine
                procedure: {steps: [read], searches: [ssh, MENTAT], page: whole}
                """;

        assertThat(files.procedure(procedure, Map.of()).asked().orElseThrow().searches())
                .containsExactly(new SearchName("ssh"), SearchName.MENTAT);
    }

    @Test
    void allFilesAreReadBeforeTheirProblemsAreTold() {
        bring("a", "{description: x, criteria: [{port: many}]}");
        bring("b", "{description: x, refinements: [c]}");
        bring("d", "{description: x, refinements: [ssh]}");

        assertThat(files.problemsOf(SCENARIO.replace("ssh: 1", "shs: 1"), Map.of()))
                .contains("scenarios/mine/a.yaml:1:36: criteria[0].port: 'many' is not a whole number")
                .contains("scenarios/mine/b.yaml: refinements: 'c' is unknown")
                .contains("scenarios/mine/d.yaml: refinements: 'ssh' does not ask for what this search asks for and one"
                        + " drawn address")
                .contains("mix.shs: 'shs' is unknown (did you mean ssh?");
    }

    @Test
    void aSearchMayBeNarrowedToOneThatAsksForOneThingMore() {
        bring("sshOf", "{description: x, criteria: [{detector: drawn}, {port: 22}]}");
        bring("ssh", "{description: x, criteria: [{port: 22}], refinements: [sshOf, DETAIL]}");

        assertThat(files.read(SCENARIO, Map.of())
                        .catalog()
                        .get(new SearchName("ssh"))
                        .refinements())
                .containsExactly(new SearchName("sshOf"), SearchName.DETAIL);
    }

    @Test
    void withoutItsDirectoryAScenarioIsRefused() throws Exception {
        assertThat(files.problemsOf(SCENARIO.replace("mine", "yours"), Map.of()))
                .contains("scenarios/x.yaml:2:14: ownSearches: 'yours' is no directory that can be read");
        Files.createDirectory(own.resolveSibling("yours"));
        assertThat(files.problemsOf(SCENARIO.replace("mine", "yours"), Map.of()))
                .contains("ownSearches: 'yours' has 0 files that end with .yaml (allowed: 1 to 200");
    }
}
