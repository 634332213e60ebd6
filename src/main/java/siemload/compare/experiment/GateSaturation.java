package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What follows for a gate from runs whose database did not keep up, in words. A sign test over blocks decides: of those in which
 * only one of two sides was saturated, half would be its own by chance. Immutable.
 *
 * @param noise the baseline differs from itself in this
 * @param regression the candidate is saturated where the baseline is not
 * @param doubts why nothing can pass: the candidate is saturated a little more often, or the baseline is saturated itself
 */
record GateSaturation(List<String> noise, List<String> regression, List<String> doubts) {
    private static final double SIGNIFICANCE = 0.05;
    /** The share of the blocks from which on a side counts as saturated, and not now and then. */
    private static final double ITSELF = 0.5;

    GateSaturation {
        noise = List.copyOf(noise);
        regression = List.copyOf(regression);
        doubts = List.copyOf(doubts);
    }

    /** @param blocks the valid ones */
    static GateSaturation of(Comparison paired, Set<Integer> blocks) {
        Set<Integer> baseline = saturated(paired, blocks, GateRules.BASELINE);
        Set<Integer> control = saturated(paired, blocks, GateRules.CONTROL);
        Set<Integer> candidate = saturated(paired, blocks, GateRules.CANDIDATE);
        List<String> noise = new ArrayList<>();
        if (isMoreOften(control, baseline) || isMoreOften(baseline, control)) {
            noise.add(GateResult.differsFromItself("saturated in " + baseline.size() + " and in " + control.size()
                    + " of " + blocks.size() + " blocks"));
        }
        List<String> regression = new ArrayList<>();
        List<String> doubts = new ArrayList<>();
        int more = without(candidate, baseline).size();
        String seen = "the candidate was saturated in " + candidate.size() + " of " + blocks.size()
                + " blocks, the baseline in " + baseline.size();
        if (isMoreOften(candidate, baseline)) {
            regression.add(seen + ": " + reason(paired, candidate, GateRules.CANDIDATE) + " gave out");
        } else if (more > without(baseline, candidate).size()) {
            doubts.add(seen + ": too few blocks to be certain that it is not chance");
        }
        if (!baseline.isEmpty() && baseline.size() >= ITSELF * blocks.size()) {
            doubts.add("the baseline was saturated itself in " + baseline.size() + " of " + blocks.size() + " blocks ("
                    + reason(paired, baseline, GateRules.BASELINE)
                    + " gave out), so that nothing can pass: lower the load, by fewer users or a longer think time");
        }
        return new GateSaturation(noise, regression, doubts);
    }

    /** By an exact one-sided sign test: five blocks to none, seven to one, ... */
    private static boolean isMoreOften(Set<Integer> one, Set<Integer> other) {
        int only = without(one, other).size();
        int all = only + without(other, one).size();
        double tail = 0;
        double ways = 1;
        for (int k = all; k >= only; k--) {
            tail += ways;
            ways = ways * k / (all - k + 1);
        }
        return only > 0 && Math.scalb(tail, -all) < SIGNIFICANCE;
    }

    private static Set<Integer> without(Set<Integer> one, Set<Integer> other) {
        Set<Integer> left = new LinkedHashSet<>(one);
        left.removeAll(other);
        return left;
    }

    private static Set<Integer> saturated(Comparison paired, Set<Integer> blocks, String side) {
        Set<Integer> saturated = new LinkedHashSet<>();
        paired.runs().stream()
                .filter(run -> run.variant().equals(side) && run.saturated() && blocks.contains(run.block()))
                .forEach(run -> saturated.add(run.block()));
        return saturated;
    }

    private static String reason(Comparison paired, Set<Integer> blocks, String side) {
        return paired.runs().stream()
                .filter(run -> run.variant().equals(side) && blocks.contains(run.block()) && run.saturated())
                .map(run -> run.gaveOut().get(0))
                .findFirst()
                .orElseThrow();
    }
}
