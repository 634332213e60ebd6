package siemload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

class CiExamplesTest {
    private static final Path GITHUB = Path.of("docs/ci/github-actions.yml");
    private static final Path GITLAB = Path.of("docs/ci/gitlab-ci.yml");
    private static final List<Integer> EXIT_CODES = List.of(0, 1, 4);

    @TempDir
    Path directory;

    private Path work;
    private Path programs;

    @BeforeEach
    void launcher() throws IOException {
        work = Files.createDirectory(directory.resolve("a project"));
        programs = Files.createDirectory(directory.resolve("programs"));
        Path siemload = Files.writeString(programs.resolve("siemload"), """
                #!/bin/sh
                case $1 in
                    history) exit "$HISTORY_CODE" ;;
                    gate) results=target/siemload/gates/gate-1 ;;
                    run) results=target/siemload/latest ;;
                esac
                if [ "$RESULTS" = true ]; then
                    mkdir -p "$results"
                    echo "what was decided" | tee "$results/summary.md" >"$results/gate.json"
                fi
                exit "$CODE"
                """);
        assertThat(siemload.toFile().setExecutable(true)).isTrue();
    }

    static Stream<Named<String>> examples() throws IOException {
        return Stream.of(
                Named.of("GitHub: gate", github("gate", "gate")),
                Named.of("GitHub: own SQL", github("own-sql", "run")),
                Named.of("GitLab: gate", gitlab("siemload-gate", "script")),
                Named.of("GitLab: own SQL", gitlab("siemload-own-sql", "script")));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void theExitCodeIsSiemloads(String example) throws Exception {
        for (int code : EXIT_CODES) {
            for (boolean results : List.of(true, false)) {
                assertThat(run(example, code, results, 0).code())
                        .as("exit code %d, results: %s", code, results)
                        .isEqualTo(code);
            }
        }
        assertThat(run(example, 0, true, 2).code()).as("a broken history").isZero();
    }

    /** Also on a runner that keeps its directory. */
    @ParameterizedTest
    @MethodSource("examples")
    void whatWasDecidedIsShownAndNotWhatAnEarlierNightDecided(String example) throws Exception {
        assertThat(run(example, 1, true, 0).shown()).contains("what was decided");
        Files.deleteIfExists(work.resolve("summary"));
        assertThat(run(example, 2, false, 0).shown()).doesNotContain("what was decided");
    }

    @Test
    void aNightThatSaysNothingWarnsOnGitlabAlone() throws IOException {
        assertThat(job(GITLAB, ".siemload").get("allow_failure")).isEqualTo(Map.of("exit_codes", 4));
        assertThat(Files.readString(GITHUB)).doesNotContain("continue-on-error");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gate", "own-sql", "gitlab"})
    void aReleaseIsInstalled(String job) throws Exception {
        boolean gitlab = job.equals("gitlab");
        String example = gitlab ? gitlab(".siemload", "before_script") : github(job, "install");
        for (String program : List.of("curl", "sha256sum", gitlab ? "jar" : "unzip")) {
            assumeTrue(bash("command -v " + program, Map.of()).code() == 0, "there is no " + program);
        }
        Path archive = directory.resolve("siemload-1.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            zip.putNextEntry(new ZipEntry("siemload-1/siemload"));
            zip.write("#!/bin/sh\necho installed\n".getBytes(StandardCharsets.UTF_8));
        }
        byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(archive));
        Map<String, String> variables = Map.of(
                "RELEASE",
                archive.toUri().toString(),
                "RELEASE_SHA256",
                HexFormat.of().formatHex(sum));
        // A real archive keeps what may be run; one that Java writes does not.
        String use = gitlab
                ? "\nsiemload\n"
                : "\nchmod +x siemload-1/siemload; PATH=\"$(cat \"$GITHUB_PATH\"):$PATH\"\nsiemload\n";
        Files.delete(programs.resolve("siemload"));
        assertThat(bash(example + use, variables).shown()).endsWith("installed\n");
        Map<String, String> other = Map.of("RELEASE", archive.toUri().toString(), "RELEASE_SHA256", "0".repeat(64));
        assertThat(bash(example, other).code()).isNotZero();
    }

    /** A tag can be moved to other code, a commit cannot. */
    @ParameterizedTest
    @ValueSource(strings = {"github-actions.yml", "github-release.yml", "github-vulnerabilities.yml"})
    void jobsNameActionsByTheirCommitAndMayOnlyReadUnlessTheyRelease(String name) throws IOException {
        String workflow = Files.readString(Path.of("docs/ci").resolve(name));
        assertThat(workflow.lines().filter(line -> line.contains("uses: ")))
                .isNotEmpty()
                .allMatch(line -> line.matches(".*uses: \\S+@[0-9a-f]{40} # v[0-9.]+"));
        assertThat(workflow).contains("\npermissions:\n  contents: read\n");
        assertThat(workflow.contains(": write")).isEqualTo(name.equals("github-release.yml"));
    }

    private Ended run(String example, int code, boolean results, int historyCode) throws Exception {
        return bash(example, Map.of("CODE", "" + code, "RESULTS", "" + results, "HISTORY_CODE", "" + historyCode));
    }

    /** Both runners' own options; what GitHub shows of a step is a file. */
    private Ended bash(String script, Map<String, String> variables) throws Exception {
        Path summary = work.resolve("summary");
        Path output = directory.resolve("output");
        ProcessBuilder builder = new ProcessBuilder("bash", "-eo", "pipefail", "-c", script)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(variables);
        builder.environment()
                .putAll(Map.of(
                        "PATH",
                        programs + ":" + System.getenv("PATH"),
                        "GITHUB_STEP_SUMMARY",
                        summary.toString(),
                        "GITHUB_PATH",
                        work.resolve("path").toString(),
                        "GITHUB_SHA",
                        "1234567",
                        "CI_COMMIT_SHORT_SHA",
                        "1234567"));
        Process process = builder.start();
        try (OutputStream nothing = process.getOutputStream()) {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        String shown = Files.readString(output) + (Files.exists(summary) ? Files.readString(summary) : "");
        return new Ended(process.exitValue(), shown);
    }

    private record Ended(int code, String shown) {}

    /** What a step of a job runs. */
    private static String github(String job, String step) throws IOException {
        List<?> steps = (List<?>) ((Map<?, ?>) job(GITHUB, "jobs").get(job)).get("steps");
        return steps.stream()
                .map(candidate -> (Map<?, ?>) candidate)
                .filter(candidate -> step.equals(candidate.get("name")))
                .map(found -> (String) found.get("run"))
                .findFirst()
                .orElseThrow();
    }

    private static String gitlab(String job, String part) throws IOException {
        List<?> lines = (List<?>) job(GITLAB, job).get(part);
        return String.join("\n", lines.stream().map(String.class::cast).toList());
    }

    private static Map<?, ?> job(Path file, String name) throws IOException {
        Map<?, ?> all = new Yaml().load(Files.readString(file));
        return (Map<?, ?>) all.get(name);
    }
}
