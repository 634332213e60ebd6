package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.compare.CapacityResult.Finding;
import siemload.compare.CapacityResult.Kind;
import siemload.compare.CapacityResult.Outcome;
import siemload.compare.CapacityResult.Question;
import siemload.compare.CapacityResult.Step;
import siemload.compare.CapacityResult.Trial;
import siemload.compare.CapacityResult.VariedLoad;
import siemload.results.PartialRun;

class LoadSearchTest {
    static final VariedLoad.Range ARRIVALS = new VariedLoad.Range(VariedLoad.ARRIVALS, 0.1, 20, 10_000);
    static final VariedLoad.Range USERS = new VariedLoad.Range(VariedLoad.USERS, 1, 10, 1_000);

    @Test
    void lessIsRunWhereTheFirstLoadIsTooMuch() {
        Ended ended = end(USERS, load -> met(load <= 3));

        assertThat(ended.loads()).startsWith(10.0).allMatch(load -> load <= 10);
        assertThat(ended.finding()).isEqualTo(new Finding(Kind.FOUND, 3, 3, 3));
    }

    @Test
    void aBoundThatMeetsTheObjectivesIsRunUntilThatIsCertain() {
        Ended ended = end(USERS, load -> Outcome.MET);

        assertThat(ended.finding()).isEqualTo(new Finding(Kind.AT_LEAST, 1_000, 1_000, 1_000));
        assertThat(ended.loads().stream().filter(load -> load == 1_000).count()).isGreaterThan(1);
    }

    @Test
    void aRunThatIsNotValidIsMadeAgainAndSaysNothing() {
        SplittableRandom random = new SplittableRandom(7);
        DoubleFunction<Outcome> oracle = load -> random.nextDouble() < 0.2 ? Outcome.INVALID : met(load <= 150);

        Ended ended = end(USERS, oracle);

        List<Trial> answers = ended.answers();
        assertThat(answers).extracting(Trial::outcome).contains(Outcome.INVALID);
        for (int i = 1; i < answers.size(); i++) {
            if (answers.get(i - 1).outcome() == Outcome.INVALID
                    && answers.subList(0, i - 1).stream().noneMatch(answers.get(i - 1)::equals)) {
                assertThat(answers.get(i).load()).isEqualTo(answers.get(i - 1).load());
            }
        }
        assertThat(ended.finding().kind()).isEqualTo(Kind.FOUND);
        assertThat(ended.finding().estimate()).isBetween(140.0, 160.0);
    }

    /** Runs that are not valid never count as met, and never as missed. */
    @Test
    void loadsThatCannotBeMeasuredBoundTheAnswerFromBelowAlone() {
        Ended ended = end(USERS, load -> load > 100 ? Outcome.INVALID : Outcome.MET);

        assertThat(ended.finding().kind()).isEqualTo(Kind.NOT_MEASURABLE);
        assertThat(ended.finding().low()).isBetween(80.0, 100.0);
        assertThat(ended.finding().high()).isBetween(101.0, 121.0);
    }

    @Test
    void whereNoRunIsValidNothingIsKnown() {
        Ended ended = end(USERS, load -> Outcome.INVALID);

        assertThat(ended.finding().kind()).isEqualTo(Kind.NOTHING_MET);
    }

    /** Runs near the largest load meet the objectives by chance: the interval holds it in nearly all searches nevertheless. */
    @Test
    @Tag("exhaustive")
    void theIntervalHoldsTheLoadInNineteenOfTwentySearches() {
        long held = IntStream.rangeClosed(1, 200)
                .filter(seed -> {
                    SplittableRandom random = new SplittableRandom(seed);
                    double capacity = Math.exp(Math.log(30) + random.nextDouble() * Math.log(100));
                    double spread = random.nextDouble() * 0.08;
                    Finding finding = end(
                                    question(ARRIVALS, 100),
                                    load -> met(random.nextDouble()
                                            < 1 / (1 + Math.exp(Math.log(load / capacity) / spread))))
                            .finding();
                    return finding.low() * 0.995 <= capacity && capacity <= finding.high() * 1.005;
                })
                .count();

        assertThat(held).isBetween(184L, 200L);
    }

    /** What a search found, and what it was told in the order in which it asked. */
    record Ended(Finding finding, List<Trial> answers) {
        List<Double> loads() {
            return answers.stream().map(Trial::load).toList();
        }
    }

    /** A search as it is unless something else is asked for. */
    static Ended end(VariedLoad.Range range, DoubleFunction<Outcome> oracle) {
        return end(question(range, 30), oracle);
    }

    private static Question question(VariedLoad.Range range, int mostRuns) {
        return new Question("arrivals", range, List.of(), Map.of(), 0.1, mostRuns);
    }

    private static Ended end(Question search, DoubleFunction<Outcome> oracle) {
        List<Trial> answers = new ArrayList<>();
        while (true) {
            Step step = search.after(answers);
            if (step.finding().isPresent()) {
                return new Ended(step.finding().get(), answers);
            }
            Outcome said = oracle.apply(step.load());
            answers.add(new Trial(step.load(), said, List.of(), List.of(), "all", 0, 0, 0, 0, 0, "run"));
        }
    }

    static Outcome met(boolean met) {
        return met ? Outcome.MET : Outcome.NOT_MET;
    }

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path EXAMPLE = Path.of("src/test/resources/golden/run.json");
    private static final String MET =
            "{\"text\": \"HAWAT1 responseTime p95 < 2s\", \"met\": true, \"measured\": \"0.21s\"}";
    private static final String VALID = "\"valid\": true, \"verdict\": \"valid\", \"warnings\": []";
    private static final String MISSED = MET.replace("true", "false");

    @TempDir
    private Path directory;

    /** A disturbed run is made again where it missed something; if that one is disturbed, too, it counts. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        all is met | MET | `` | ``
        never where it is not valid | INVALID | the clock jumped | "valid": false, "verdict": "notValid", "warnings": ["the clock jumped"]
        nor where it did not keep up, though its percentiles are good | NOT_MET | 60 of 812 were not answered | "valid": true, "warnings": [], "saturation": {"gaveOut": ["locks"], "signs": ["60 of 812 were not answered"], "advice": "smaller batches"}
        disturbed runs may be met | MET | `` | "valid": true, "verdict": "disturbed", "warnings": ["javac"], "disturbance": {"percentilesOffPercent": 31, "causes": ["javac took CPU time"]}
        """)
    void whatTheRunIsDecides(String rule, Outcome outcome, String why, String validity) throws Exception {
        Trial trial = trial(validity.isEmpty() ? VALID : validity, List.of(), MET);

        assertThat(trial.outcome()).as(rule).isEqualTo(outcome);
        assertThat(String.join("; ", trial.why())).contains(why);
        assertThat(trial.gaveOut()).hasSize(why.startsWith("60") ? 1 : 0);
        assertThat(trial.load()).isEqualTo(80);
        assertThat(trial.directory()).isEqualTo("run");
    }

    @Test
    void aMissInADisturbedRunSaysNothingTheFirstTime() throws Exception {
        String disturbed = "\"valid\": true, \"verdict\": \"disturbed\", \"warnings\": [\"javac\"], \"disturbance\":"
                + " {\"percentilesOffPercent\": 31, \"causes\": [\"javac took CPU time\"]}";

        Trial first = trial(disturbed, List.of(), MISSED);
        assertThat(first.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(first.why()).singleElement().asString().startsWith("disturbed: javac took CPU time");
        assertThat(trial(disturbed, List.of(first), MISSED).outcome()).isEqualTo(Outcome.NOT_MET);
    }

    @Test
    void aRunWithTooFewSearchesForAnObjectiveSaysNothing() throws Exception {
        String few = MET.replace(
                "}", ", \"outcome\": \"undecided\", \"reason\": \"p95 needs 72 searches\", \"searchesMissing\": 67}");

        Trial trial = trial(VALID, List.of(), few);

        assertThat(trial.outcome()).isEqualTo(Outcome.INVALID);
        assertThat(trial.why()).contains("HAWAT1 responseTime p95 < 2s: p95 needs 72 searches");
    }

    /** Its searches are left out, since their times lie in other files. */
    private Trial trial(String validity, List<Trial> before, String objective) throws Exception {
        ObjectNode run = (ObjectNode) JSON.readTree(EXAMPLE.toFile());
        run.putArray("searches");
        run.set("objectives", JSON.readTree("[" + objective + "]"));
        run.set("validity", JSON.readTree("{" + validity + "}"));
        Path of = Files.createDirectories(directory.resolve("run"));
        JSON.writeValue(of.resolve("run.json").toFile(), run);
        Files.writeString(of.resolve("environment.json"), "{\"formatVersion\": 1, \"sections\": {}}");
        return CapacityRuns.trial(new RunLog.Entry(1, 0, "80", "run", 75, 0), PartialRun.in(of), before);
    }
}
