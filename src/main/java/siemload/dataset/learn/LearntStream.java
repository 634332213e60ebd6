package siemload.dataset.learn;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.dataset.DatasetSpec;
import siemload.dataset.statistics.Estimate;

/**
 * What was learnt from a stream of events. Immutable.
 *
 * @param spec the data set as its file has it
 * @param parameters by their path in the profile: what was estimated, and how surely
 * @param fits how generated events fit the original, field by field
 * @param oddities what the original has and the profile cannot say, with how often
 * @param otherKeys how many different keys of events are not generated
 * @param skipped the unreadable lines, for people
 * @param sampleEvents how many events were generated for the comparison
 */
public record LearntStream(
        DatasetSpec spec,
        Map<String, Estimate> parameters,
        List<FieldFit> fits,
        Map<Oddity, Long> oddities,
        int otherKeys,
        List<String> skipped,
        long sampleEvents) {
    public LearntStream {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        fits = List.copyOf(fits);
        oddities = Collections.unmodifiableMap(new LinkedHashMap<>(oddities));
        skipped = List.copyOf(skipped);
    }
}
