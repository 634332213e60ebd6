package siemload.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import siemload.compare.Comparer.Measured;
import siemload.compare.SourceClaim.ClaimResult;
import siemload.compare.statistics.Decision;
import siemload.results.statistics.Median;

/**
 * The result of the runs of an experiment, as {@code comparison.json} holds it, with everything that a report needs. Immutable.
 *
 * @param experiment the experiment after all overrides
 * @param runs the runs that have ended, in the order in which they ended
 * @param figures all figures by subject, metric and variant, without those of invalid runs
 * @param verdicts the verdicts on each variant against the baseline, one for each subject, by the deciding metric
 * @param plans the plans of each kind of search in valid runs, by variant; variants without plans are missing
 * @param differences the differences between runs other than the axis
 * @param withheld the reasons why no verdicts are given; empty if verdicts are given
 * @param gaps in words, the figures that could not be compared, since they were measured too seldom or never
 * @param claims whether the conclusions of earlier studies hold, one for each source of the experiment
 * @param sides the servers of named variants, and which variants gave the same answers, in words; empty for variants without names
 * @param answers the comparisons of answers; empty unless named variants, or the sides of a gate, were asked the same questions
 * @param disturbed how many valid runs were disturbed by other programs, and how strongly, in words; empty if no run was disturbed
 */
public record Comparison(
        Experiment experiment,
        List<Run> runs,
        List<Series> figures,
        List<PairVerdict> verdicts,
        Map<String, Map<String, Set<String>>> plans,
        List<Difference> differences,
        List<String> withheld,
        List<String> gaps,
        List<ClaimResult> claims,
        List<String> sides,
        List<Answers> answers,
        List<String> disturbed) {

    /** Returns the runs that do not count; a run of several variants is listed once. */
    List<Run> invalidRuns() {
        Map<Integer, Run> byPosition = new LinkedHashMap<>();
        runs.stream()
                .filter(run -> !run.invalid().isEmpty())
                .forEach(run -> byPosition.putIfAbsent(run.position(), run));
        return List.copyOf(byPosition.values());
    }

    /** Returns sentences about the saturated variants: {@code b was saturated in 9 of 9 runs; bottleneck: the CPUs (...) (run 2)}. */
    List<String> saturated() {
        List<String> told = new ArrayList<>();
        for (String label : experiment.labels()) {
            List<Run> own = new ArrayList<>(runs);
            own.removeIf(run -> !run.variant().equals(label) || !run.invalid().isEmpty());
            List<Run> saturated = own.stream().filter(Run::saturated).toList();
            if (!saturated.isEmpty()) {
                Run first = saturated.get(0);
                told.add(experiment.spoken(label) + " was saturated in " + saturated.size() + " of " + own.size()
                        + " runs; bottleneck: " + first.gaveOut().get(0) + " (run " + first.position() + ")");
            }
        }
        return told;
    }

    /** Returns whether there is any verdict, even if it is "not decided". */
    public boolean saysSomething() {
        return withheld.isEmpty() && !verdicts.isEmpty();
    }

    /**
     * The comparison of two variants' answers to the same questions: steps of a procedure, or statements with the same values.
     *
     * @param questions the number of questions that both variants answered; statements count only while no rows were written
     * @param differing the number of these questions that had different answers
     * @param examples examples of questions with different answers, in words
     */
    public record Answers(String baseline, String candidate, long questions, long differing, List<String> examples) {
        /** The comparison in words: {@code b answered like a: 0 of 1,024 questions had different answers}. */
        String sentence() {
            if (questions == 0) {
                return "no answers of " + candidate + " and " + baseline
                        + " could be compared: their valid runs have no"
                        + " question in common that was asked while no rows were written";
            }
            String counted = String.format(Locale.ROOT, "%,d of %,d", differing, questions);
            return candidate + (differing == 0 ? " answered" : " did not answer") + " like " + baseline + ": " + counted
                    + " questions had different answers" + (differing == 0 ? "" : ": " + String.join(", ", examples))
                    + (differing > examples.size() ? ", ..." : "");
        }
    }

    /**
     * One run of an experiment.
     *
     * @param position 1 for the first run
     * @param block the number of the block whose runs were compared with each other; 0 for the first block
     * @param directory the directory of the run, relative to the directory of the experiment
     * @param invalid the reasons why the run does not count; empty if the run counts
     * @param gaveOut the bottlenecks of the database, the most important first; empty if the database was not saturated
     */
    public record Run(
            int position,
            int block,
            String variant,
            String directory,
            double seconds,
            List<String> invalid,
            List<String> gaveOut) {

        /** Returns whether the run counts and its database was saturated. */
        boolean saturated() {
            return invalid.isEmpty() && !gaveOut.isEmpty();
        }
    }

    /**
     * One metric of one subject in the runs of one variant.
     *
     * @param values the values by block, in the unit of the metric
     * @param median the median of the values
     * @param bounds the blocks in which too many searches got no answer, so that the value is only a bound and the true value may be worse
     */
    public record Series(
            String subject,
            String metric,
            String variant,
            Map<Integer, Double> values,
            double median,
            List<Integer> bounds) {
        public Series {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }

        /** Returns the series of these values with their median; empty if there are no values. */
        static Optional<Series> of(
                String subject, String metric, String variant, Map<Integer, Double> values, List<Integer> bounds) {
            return values.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Series(subject, metric, variant, values, Median.of(values.values()), bounds));
        }

        boolean isOf(Metric other) {
            return metric.equals(other.name());
        }

        /** Returns this series restricted to these blocks; empty if the series has no values in them. */
        Optional<Series> within(Set<Integer> blocks) {
            Map<Integer, Double> kept = new LinkedHashMap<>(values);
            kept.keySet().retainAll(blocks);
            List<Integer> bounded = bounds.stream().filter(blocks::contains).toList();
            return of(subject, metric, variant, kept, bounded);
        }
    }

    /** The verdict on two variants in one subject and metric, with a sentence for people. */
    public record PairVerdict(
            String subject, String metric, String baseline, String candidate, Decision decision, String sentence) {
        boolean isOf(String otherSubject, String otherMetric) {
            return subject.equals(otherSubject) && metric.equals(otherMetric);
        }
    }

    /**
     * A condition other than the declared axis that was not the same in all runs. Runs of one variant must be alike in everything. Runs of
     * different variants must be alike in machine, program, events and tables, unless the axis changes these. Other conditions may differ
     * between variants if they are equal in all runs of each variant: since runs are interleaved, the variant causes them. Immutable.
     *
     * @param section a section of environment.json: {@code database}
     * @param key a key in this section: {@code setting.work_mem}
     * @param values each value, with the runs that had it
     */
    public record Difference(String section, String key, List<Value> values) {
        private static final String TABLES = "tables";
        private static final String MISSING = "(none)";

        /**
         * The ratio by which two sizes of a table or index may differ. Each load lays out the data anew: with 200,000 events in six
         * containers, the sizes of a GiST index, which picks at random among equally good places, differed by 1.9 %.
         */
        private static final double SAME_SIZE = 0.05;

        /** The difference of two sizes in bytes that is always allowed, since a few pages are a large part of a small index. */
        private static final long SAME_PAGES = 64 * 1024;

        /** The sections with values that follow from the settings of a variant. */
        private static final Set<String> OF_VARIANTS = Set.of("scenario", "database", "filesystem");

        /** The properties that change the events or the tables, by section. */
        private static final Map<String, Set<String>> FOLLOWS = Map.of(
                "dataset",
                Set.of("dataset", "amplify", "scenario"),
                TABLES,
                Set.of("target url image provision layout partitions indexes dataset amplify scenario tasks"
                        .split(" ", -1)));

        /** One value, {@code (none)} where the key was missing, and the positions of the runs that had it, sorted, 1 for the first. */
        public record Value(String value, List<Integer> runs) {}

        /** Returns whether runs asked different searches under one name, which can never be compared. */
        boolean definesSearch() {
            return section.equals("scenario") && key.startsWith("ownSearches.");
        }

        /** Returns the difference in words: {@code database setting.work_mem was 4MB in runs 1, 2 and 64MB in run 4}. */
        public String sentence() {
            return section + " " + key + " was "
                    + values.stream()
                            .map(value -> value.value() + " in " + runs(value.runs()))
                            .collect(Collectors.joining(" and "));
        }

        /** Returns positions in words: {@code runs 1, 2, 5}. */
        static String runs(List<Integer> positions) {
            return (positions.size() == 1 ? "run " : "runs ")
                    + positions.stream().map(String::valueOf).collect(Collectors.joining(", "));
        }

        /** The differences between runs, by section and key. */
        static List<Difference> between(List<Measured> all, Set<String> varied) {
            Map<String, Set<String>> keys = new TreeMap<>();
            all.forEach(run -> run.figures()
                    .environment()
                    .forEach((section, values) -> keys.computeIfAbsent(section, unused -> new TreeSet<>())
                            .addAll(values.keySet())));
            List<Difference> differences = new ArrayList<>();
            keys.forEach((section, known) -> known.forEach(key -> {
                boolean defines = new Difference(section, key, List.of()).definesSearch();
                boolean mayVary = !defines
                        && (OF_VARIANTS.contains(section)
                                || varied.stream().anyMatch(property -> makes(property, section)));
                Map<String, List<Integer>> positions = new LinkedHashMap<>();
                Map<String, String> first = new HashMap<>();
                boolean differs = false;
                for (Measured run : all) {
                    String value = run.environment(section).getOrDefault(key, MISSING);
                    // A search that is missing in a run does not differ in that run.
                    if (!defines || !value.equals(MISSING)) {
                        String before = first.computeIfAbsent(mayVary ? run.variant() : "", unused -> value);
                        differs |= !before.equals(value) && !(section.equals(TABLES) && isSameSize(before, value));
                        positions
                                .computeIfAbsent(value, unused -> new ArrayList<>())
                                .add(run.position());
                    }
                }
                if (differs) {
                    List<Value> values = new ArrayList<>();
                    positions.forEach((value, runs) -> values.add(new Value(value, runs)));
                    differences.add(new Difference(section, key, values));
                }
            }));
            return differences;
        }

        private static boolean makes(String property, String section) {
            return FOLLOWS.getOrDefault(section, Set.of()).contains(property.substring(property.lastIndexOf('.') + 1));
        }

        private static boolean isSameSize(String one, String other) {
            try {
                long size = Long.parseLong(one);
                long otherSize = Long.parseLong(other);
                return Math.abs(size - otherSize) <= Math.max(SAME_PAGES, SAME_SIZE * Math.max(size, otherSize));
            } catch (NumberFormatException noSize) {
                return false; // The size is missing in one run, or replaced by the reason why it could not be read.
            }
        }
    }
}
