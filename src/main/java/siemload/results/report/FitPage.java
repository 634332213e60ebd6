package siemload.results.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.dataset.EventProfile;
import siemload.dataset.learn.Learner.FieldFit;
import siemload.dataset.learn.Learner.Learnt;

/** Shows how well a learnt data set fits its original, on a terminal and as one page that opens offline. Stateless and thread-safe. */
public final class FitPage {
    private FitPage() {}

    /** Returns the whole page about the fit. */
    public static String of(Learnt learnt) throws IOException {
        return new ChartPage("siemload: fit of a learnt data set")
                .script("/siemload/results/report/fit.js")
                .data(Map.of(
                        "name", learnt.spec().name(),
                        "description", learnt.spec().description(),
                        "events", learnt.spec().events(),
                        "lookedAt", learnt.lookedAt(),
                        "fits", learnt.fits()))
                .html("the output of ./siemload learn says");
    }

    /** Returns the lines about the fit for a terminal, without line ends. */
    public static List<String> lines(Learnt learnt) {
        EventProfile profile = learnt.spec().profile();
        List<String> lines = new ArrayList<>(learnt.told());
        lines.add(String.format(
                Locale.ROOT,
                "%,d events, %s from %s, %d categories, %d detectors",
                learnt.spec().events(),
                learnt.spec().span().toString().substring(2).toLowerCase(Locale.ROOT),
                learnt.spec().start(),
                profile.categories().shares().size(),
                profile.detectors().shares().size()));
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "%,d events of the original compared with as many generated events. Distance: total variation;"
                        + " by chance: its mean between two samples of one distribution.",
                learnt.lookedAt()));
        lines.add(fits(learnt.fits()));
        return List.copyOf(lines);
    }

    private static String fits(List<FieldFit> fits) {
        Table table = Table.titled("field", "distance", "by chance", "original", "generated");
        fits.forEach(fit -> table.row(
                fit.name(),
                Amounts.digits(4, fit.distance()),
                Amounts.digits(4, fit.byChance()),
                Amounts.whole(sum(fit.original())),
                Amounts.whole(sum(fit.generated()))));
        return table.lines();
    }

    private static double sum(List<Long> counts) {
        return counts.stream().mapToDouble(Long::doubleValue).sum();
    }
}
