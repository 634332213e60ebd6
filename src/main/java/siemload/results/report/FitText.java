package siemload.results.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.dataset.learn.FieldFit;
import siemload.dataset.learn.LearntStream;
import siemload.dataset.learn.Oddity;
import siemload.dataset.statistics.Estimate;

/** What was learnt from a stream, for the terminal. Stateless and thread-safe. */
public final class FitText {
    private static final List<String> SHOWN = List.of(
            "sources.addresses",
            "sources.rankRoot",
            "sources.scatteredNetworks",
            "targets.addresses",
            "targets.rankRoot",
            "targets.scatteredNetworks",
            "ports.tail.ports",
            "ports.tail.rankRoot");

    private FitText() {}

    /** All lines, without line ends. */
    public static List<String> lines(LearntStream learnt) {
        List<String> lines = new ArrayList<>(learnt.skipped());
        lines.add(String.format(
                Locale.ROOT,
                "%,d events, %s from %s, %d categories, %d detectors",
                learnt.spec().events(),
                learnt.spec().span().toString().substring(2).toLowerCase(Locale.ROOT),
                learnt.spec().start(),
                learnt.spec().profile().categories().shares().size(),
                learnt.spec().profile().detectors().shares().size()));
        lines.add("");
        lines.add(parameters(learnt.parameters()));
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "The original against %,d generated events. Distance: total variation of shares, Kolmogorov-Smirnov of sizes; by"
                        + " chance: how probable it is between equals.",
                learnt.sampleEvents()));
        lines.add(fits(learnt.fits()));
        if (!learnt.oddities().isEmpty()) {
            lines.add("");
            lines.add("Measured, and not generated:");
            learnt.oddities().forEach((oddity, count) -> lines.add(oddity(oddity, count, learnt)));
        }
        return List.copyOf(lines);
    }

    private static String parameters(Map<String, Estimate> parameters) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("parameter", "estimate", "95 % interval"));
        for (String name : SHOWN) {
            Estimate estimate = parameters.get(name);
            if (estimate != null) {
                rows.add(List.of(name, number(estimate.value()), interval(estimate)));
            }
        }
        rows.add(List.of("all " + parameters.size() + ": in the profile", "", ""));
        return Table.of(List.of(Table.Side.LEFT, Table.Side.RIGHT, Table.Side.LEFT), rows);
    }

    private static String fits(List<FieldFit> fits) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("field", "distance", "by chance", "original", "generated"));
        for (FieldFit fit : fits) {
            rows.add(List.of(
                    fit.name(),
                    String.format(Locale.ROOT, "%.4f", fit.distance()),
                    chance(fit.byChance()),
                    String.format(Locale.ROOT, "%,d", fit.originalCount()),
                    String.format(Locale.ROOT, "%,d", fit.generatedCount())));
        }
        Table.Side right = Table.Side.RIGHT;
        return Table.of(List.of(Table.Side.LEFT, right, right, right, right), rows);
    }

    private static String oddity(Oddity oddity, long count, LearntStream learnt) {
        String keys = oddity == Oddity.OWN_KEY ? " (" + learnt.otherKeys() + " different ones of whole events)" : "";
        return String.format(Locale.ROOT, "  %,d %s%s", count, oddity.text(), keys);
    }

    static String chance(double byChance) {
        return byChance < 0.001 ? "< 0.001" : String.format(Locale.ROOT, "%.3f", byChance);
    }

    static String interval(Estimate estimate) {
        return Double.isInfinite(estimate.high())
                ? number(estimate.low()) + " or more"
                : number(estimate.low()) + " to " + number(estimate.high());
    }

    static String number(double value) {
        return value == Math.rint(value) || Math.abs(value) >= 1_000
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.4g", value);
    }
}
