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
 * What the runs of an experiment say, as {@code comparison.json} holds it: everything that a report needs. Immutable.
 *
 * @param experiment what was asked, after all overrides
 * @param runs all that ended, in the order in which they did
 * @param figures everything that was measured, by subject, metric and variant; those of invalid runs are not in it
 * @param verdicts of each variant against the baseline, one for each subject, of the metric that decides
 * @param plans of each kind of search, by variant that has any in a run that counts, all that its runs had
 * @param differences what differed beside the axis
 * @param withheld why no verdict is given; empty where they are
 * @param gaps what was asked for and could not be compared, in words: measured too seldom, or not at all
 * @param claims how what earlier studies found stands now, one for each source of the experiment
 * @param sides what named variants ran on, and which gave the same answers, in words; empty for variants without names
 * @param answers what the same questions gave on both sides; none where no variants by name, or sides of a gate, were asked the same
 * @param disturbed how many of the runs that count were disturbed by other programs, and by how much, in words; empty where none was
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

    /** The runs that do not count, each once, even if it belongs to several variants. */
    List<Run> invalidRuns() {
        Map<Integer, Run> byPosition = new LinkedHashMap<>();
        runs.stream()
                .filter(run -> !run.invalid().isEmpty())
                .forEach(run -> byPosition.putIfAbsent(run.position(), run));
        return List.copyOf(byPosition.values());
    }

    /** Which variants were saturated, in words: {@code none was saturated in 9 of 9 runs: the CPUs (...) gave out (run 2)}. */
    List<String> saturated() {
        List<String> told = new ArrayList<>();
        for (String label : experiment.labels()) {
            List<Run> own = new ArrayList<>(runs);
            own.removeIf(run -> !run.variant().equals(label) || !run.invalid().isEmpty());
            List<Run> saturated = own.stream().filter(Run::saturated).toList();
            if (!saturated.isEmpty()) {
                Run first = saturated.get(0);
                told.add(experiment.spoken(label) + " was saturated in " + saturated.size() + " of " + own.size()
                        + " runs: " + first.gaveOut().get(0) + " exhausted (run " + first.position() + ")");
            }
        }
        return told;
    }

    /** Whether there is any verdict, even one that nothing could be seen. */
    public boolean saysSomething() {
        return withheld.isEmpty() && !verdicts.isEmpty();
    }

    /**
     * How two variants answered the same questions: steps of a procedure, or statements with the same values.
     *
     * @param questions how many both answered, counting statements only while nobody wrote
     * @param differing how many of them had different answers
     * @param examples of these, in words
     */
    public record Answers(String baseline, String candidate, long questions, long differing, List<String> examples) {
        /** In words: {@code b answered like a: 0 of 1,024 questions had other answers}. */
        String sentence() {
            if (questions == 0) {
                return "no answer of " + candidate + " could be compared with one of " + baseline
                        + ": no valid runs of both asked the same while nobody wrote a row";
            }
            String counted = String.format(Locale.ROOT, "%,d of %,d", differing, questions);
            return candidate + (differing == 0 ? " answered" : " did not answer") + " like " + baseline + ": " + counted
                    + " questions had other answers" + (differing == 0 ? "" : ": " + String.join(", ", examples))
                    + (differing > examples.size() ? ", ..." : "");
        }
    }

    /**
     * One run.
     *
     * @param position 1 for the first
     * @param block runs of one block were compared with each other; 0 for the first
     * @param directory below that of the experiment
     * @param invalid why it does not count; empty if it does
     * @param gaveOut the database's bottlenecks where it was saturated, the most important first; else empty
     */
    public record Run(
            int position,
            int block,
            String variant,
            String directory,
            double seconds,
            List<String> invalid,
            List<String> gaveOut) {

        /** Whether it counts and its database was saturated. */
        boolean saturated() {
            return invalid.isEmpty() && !gaveOut.isEmpty();
        }
    }

    /**
     * One metric of one subject in the runs of one variant.
     *
     * @param values by block, in the unit of the metric
     * @param median of them
     * @param bounds the blocks in which the true value is at best this one, since too many searches got no answer
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

        /** These values with their median; empty where there are none. */
        static Optional<Series> of(
                String subject, String metric, String variant, Map<Integer, Double> values, List<Integer> bounds) {
            return values.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Series(subject, metric, variant, values, Median.of(values.values()), bounds));
        }

        boolean isOf(Metric other) {
            return metric.equals(other.name());
        }

        /** The figure restricted to these blocks, if it has values there. */
        Optional<Series> within(Set<Integer> blocks) {
            Map<Integer, Double> kept = new LinkedHashMap<>(values);
            kept.keySet().retainAll(blocks);
            List<Integer> bounded = bounds.stream().filter(blocks::contains).toList();
            return of(subject, metric, variant, kept, bounded);
        }
    }

    /** How two variants compare in one subject, with a sentence for people. */
    public record PairVerdict(
            String subject, String metric, String baseline, String candidate, Decision decision, String sentence) {
        boolean isOf(String otherSubject, String otherMetric) {
            return subject.equals(otherSubject) && metric.equals(otherMetric);
        }
    }

    /**
     * Something besides the declared axis that was not the same in all runs. Runs of one variant must be alike in everything; runs of
     * different variants in machine, program, events and tables, unless the axis changes these. Anything else that differs between variants
     * and is the same in all runs of each follows from the variant, since runs are interleaved. Immutable.
     *
     * @param section of environment.json: {@code database}
     * @param key in it: {@code setting.work_mem}
     * @param values each value, with the runs that had it
     */
    public record Difference(String section, String key, List<Value> values) {
        private static final String TABLES = "tables";
        private static final String MISSING = "(none)";

        /**
         * Of two sizes of the same table or index. Data that are loaded again are laid out anew: with 200,000 events in six containers, the
         * sizes of a GiST index, which picks at random among equally good places, differed by 1.9 %.
         */
        private static final double SAME_SIZE = 0.05;

        /** In bytes: a few pages are a large part of a small index. */
        private static final long SAME_PAGES = 64 * 1024;

        /** What follows from the settings of a variant. */
        private static final Set<String> OF_VARIANTS = Set.of("scenario", "database", "filesystem");

        /** The properties that change the events or the tables. */
        private static final Map<String, Set<String>> FOLLOWS = Map.of(
                "dataset",
                Set.of("dataset", "amplify", "scenario"),
                TABLES,
                Set.of("target url image provision layout partitions indexes dataset amplify scenario tasks"
                        .split(" ", -1)));

        /** One value, {@code (none)} where the key was missing, and the positions of the runs that had it, sorted, 1 for the first. */
        public record Value(String value, List<Integer> runs) {}

        /** Whether runs asked for different things under one name, which can never be compared. */
        boolean definesSearch() {
            return section.equals("scenario") && key.startsWith("ownSearches.");
        }

        /** In words: {@code database setting.work_mem was 4MB in runs 1, 2 and 64MB in run 4}. */
        public String sentence() {
            return section + " " + key + " was "
                    + values.stream()
                            .map(value -> value.value() + " in " + runs(value.runs()))
                            .collect(Collectors.joining(" and "));
        }

        /** {@code runs 1, 2, 5}. */
        static String runs(List<Integer> positions) {
            return (positions.size() == 1 ? "run " : "runs ")
                    + positions.stream().map(String::valueOf).collect(Collectors.joining(", "));
        }

        /** What differed, by section and key. */
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
                    // A search that a run did not ask cannot be compared.
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
                return false; // missing in one of them, or why it could not be read
            }
        }
    }
}
