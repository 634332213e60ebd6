package siemload.results.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import siemload.dataset.learn.FieldFit;
import siemload.dataset.learn.LearntStream;

/** How a learnt data set fits its original, as one page that opens offline. Stateless and thread-safe. */
public final class FitPage {
    private FitPage() {}

    /** The whole page. */
    public static String of(LearntStream learnt) throws IOException {
        return new ChartPage("siemload: fit of a learnt data set")
                .elements()
                .script("/siemload/results/report/fit.js")
                .data(data(learnt))
                .with("/siemload/results/report/fit.html");
    }

    private record Data(
            String name,
            String description,
            long events,
            long sampleEvents,
            List<FieldFit> fits,
            List<List<String>> parameters,
            List<List<String>> oddities) {}

    private static Data data(LearntStream learnt) {
        List<List<String>> parameters = new ArrayList<>();
        learnt.parameters()
                .forEach((name, estimate) ->
                        parameters.add(List.of(name, FitText.number(estimate.value()), FitText.interval(estimate))));
        List<List<String>> oddities = new ArrayList<>();
        learnt.oddities()
                .forEach((oddity, count) ->
                        oddities.add(List.of(oddity.text(), String.format(Locale.ROOT, "%,d", count))));
        return new Data(
                learnt.spec().name(),
                learnt.spec().description(),
                learnt.spec().events(),
                learnt.sampleEvents(),
                learnt.fits(),
                parameters,
                oddities);
    }
}
