package siemload.dataset.learn;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventProfile;
import siemload.dataset.statistics.Estimate;
import siemload.dataset.statistics.RankLawFit;

/**
 * A data set like a stream that was measured. Immutable.
 *
 * @param spec the data set
 * @param parameters by their path in the profile: what was estimated, and how surely
 * @param laws how addresses and ports fit the law of their popularity, by the part of the profile
 */
record LearntProfile(DatasetSpec spec, Map<String, Estimate> parameters, Map<String, RankLawFit> laws) {
    LearntProfile {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        laws = Collections.unmodifiableMap(new LinkedHashMap<>(laws));
    }

    /** What this stream tells; it must have had an event. */
    static LearntProfile of(StreamMeasure measure, Pseudonyms names, String dataset, long seed) {
        Parameters parameters = new Parameters();
        Map<String, RankLawFit> laws = new LinkedHashMap<>();
        SpanEstimate span = SpanEstimate.of(measure.times(), parameters);
        measure.oddities().add(Oddity.OUTSIDE, span.outside());
        EndpointMeasure endpoints = measure.endpoints();
        EventProfile profile = new EventProfile(
                span.dayCurve(),
                parameters.note("ip6Ratio", Estimate.share(endpoints.withIp6(), endpoints.withAddress())),
                DetailEstimate.times(measure.times(), parameters),
                NameEstimate.categories(measure, names, parameters),
                NameEstimate.detectors(measure, names, parameters),
                EndpointEstimate.side("sources", endpoints.sources(), parameters, laws),
                EndpointEstimate.side("targets", endpoints.targets(), parameters, laws),
                EndpointEstimate.targetKinds(endpoints, parameters),
                PortEstimate.of(endpoints.ports(), names, parameters, laws),
                DetailEstimate.details(measure, names, parameters));
        String description = String.format(
                java.util.Locale.ROOT,
                "Learnt from %,d events: names are %s",
                measure.events(),
                names.rule() == NameRule.KEEP ? "kept, addresses are not" : "replaced");
        return new LearntProfile(
                new DatasetSpec(
                        dataset, description, measure.events(), span.start(), span.span(), seed, profile, Map.of()),
                parameters.all(),
                laws);
    }
}
