package siemload.dataset.learn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventProfile;
import siemload.dataset.EventProfile.Categories;
import siemload.dataset.EventProfile.Category;
import siemload.dataset.EventProfile.Details;
import siemload.dataset.EventProfile.Detector;
import siemload.dataset.EventProfile.Detectors;
import siemload.dataset.EventProfile.Times;
import siemload.dataset.learn.FrequentNames.Entry;
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

    /** Times and details of a profile from what was measured. Stateless. */
    private static final class DetailEstimate {
        private static final double LONGEST_SECONDS = Duration.ofDays(30).toSeconds();
        private static final double MOST_SENTENCES = 100;
        private static final double LARGEST_COUNT = 0x1p40;
        private static final double UNLIKELY = 0.05;

        private DetailEstimate() {}

        static Times times(TimeMeasure measured, Parameters parameters) {
            SampledCounts seconds = measured.seconds();
            return new Times(
                    parameters.note("times.fractionRatio", Estimate.share(seconds.occurring(), seconds.distinct())),
                    twiceTheMean("times.longestEvent", measured.lasted(), parameters),
                    twiceTheMean("times.longestDelay", measured.delay(), parameters),
                    parameters.note("times.eventTimeRatio", Estimate.share(measured.eventTimes(), measured.events())),
                    parameters.note("times.windowRatio", Estimate.share(measured.windows(), measured.events())),
                    window(measured, parameters));
        }

        /** All spans up to the longest are alike, so that it is twice the mean; the largest one would be that of a wrong clock. */
        private static Duration twiceTheMean(String path, SizeHistogram spans, Parameters parameters) {
            Estimate longest = spans.mean().times(2).within(0, LONGEST_SECONDS).rounded();
            return Duration.ofSeconds(parameters.noteWhole(path, longest));
        }

        /** The length that most have; otherwise the median, to a cell of the histogram. */
        private static Duration window(TimeMeasure measured, Parameters parameters) {
            double median = Math.min(LONGEST_SECONDS, (double) measured.window().quantile(0.5));
            double most = median + Math.ceil(median / 32);
            Estimate window = measured.usualWindow()
                    .filter(usual -> median <= usual && usual <= most)
                    .map(usual -> Estimate.exact(usual))
                    .orElse(new Estimate(median, median, most));
            return Duration.ofSeconds(parameters.noteWhole("times.window", window));
        }

        static Details details(StreamMeasure measure, Pseudonyms names, Parameters parameters) {
            DetailMeasure measured = measure.details();
            long events = measure.events();
            Estimate sentences = measured.sentences().mean();
            double longestNote = parameters.note(
                    "details.longestNote",
                    new Estimate(2 * sentences.value() - 1, 2 * sentences.low() - 1, 2 * sentences.high() - 1)
                            .within(1, MOST_SENTENCES)
                            .rounded());
            double sentence = measured.notes().mean().value() / Math.max(1, sentences.value());
            return new Details(
                    parameters.note("details.flowCountRatio", Estimate.share(measured.flowCounts(), events)),
                    parameters.note(
                            "details.connectionCountRatio", Estimate.share(measured.connectionCounts(), events)),
                    largestCount(measured.counts(), parameters),
                    parameters.note(
                            "details.noteRatio", Estimate.share(measured.notes().count(), events)),
                    (int) Math.round(longestNote),
                    measured.notes().count() == 0 ? List.of("-") : names.sentences(sentence),
                    parameters.note("details.storageRatio", Estimate.share(measured.storageTimes(), events)));
        }

        /**
         * The largest one that occurred. A profile draws the counts of one of its orders of magnitude from all up to the largest
         * alike, so that the true one is seldom far above: {@code P(max < x) = (x / largest) ^ n}.
         */
        private static long largestCount(SizeHistogram counts, Parameters parameters) {
            double largest = Math.max(1, Math.min(LARGEST_COUNT, (double) counts.largest()));
            double magnitudes = 64 - Long.numberOfLeadingZeros((long) largest);
            double ofTheLargest = Math.max(1, counts.count() / magnitudes);
            double high = Math.ceil(largest * Math.pow(UNLIKELY, -1 / ofTheLargest));
            return parameters.noteWhole("details.largestCount", new Estimate(largest, largest, high));
        }
    }

    /** Categories and detectors for a profile, the most frequent first, from what was measured. Stateless. */
    private static final class NameEstimate {
        private static final int MOST_DESCRIPTIONS = 20;
        /** So many standard deviations may counts be apart that are said to be alike. */
        private static final double ALIKE = 4;

        private static final Pattern NUMBER = Pattern.compile("0+");
        private static final Pattern WINDOW = Pattern.compile("[0-9]{1,3}:[0-5][0-9]:[0-5][0-9]");

        private NameEstimate() {}

        static Categories categories(StreamMeasure measure, Pseudonyms names, Parameters parameters) {
            CategoryMeasure measured = measure.categories();
            List<Category> shares = new ArrayList<>();
            long all = measured.categories().all();
            for (Entry<CategoryMeasure.Nature> entry : measured.categories().ranked()) {
                String name = names.category(entry.name());
                Estimate share = Estimate.share(entry.count(), all).times(100);
                shares.add(new Category(
                        name,
                        parameters.note("categories." + name, share),
                        names.sourceTypes(entry.details().sourceTypes()),
                        descriptions(entry.details().descriptions(), names)));
                if (!IdeaWords.isCategory(entry.name())) {
                    measure.oddities().add(Oddity.OWN_CATEGORY, entry.count());
                }
            }
            return new Categories(
                    parameters.note("categories.secondRatio", Estimate.share(measured.second(), measure.events())),
                    shares);
        }

        /** Each once where all are about as frequent, or else as often as it has twentieths. */
        private static List<String> descriptions(FrequentNames<Boolean> descriptions, Pseudonyms names) {
            List<Map.Entry<String, Long>> forms = forms(descriptions);
            if (forms.isEmpty()) {
                return List.of("-");
            }
            double sum = forms.stream().mapToLong(Map.Entry::getValue).sum();
            double mean = sum / forms.size();
            boolean alike =
                    forms.stream().allMatch(form -> Math.abs(form.getValue() - mean) <= ALIKE * Math.sqrt(mean));
            List<String> list = new ArrayList<>();
            double owed = 0;
            for (Map.Entry<String, Long> form : forms) {
                owed += alike ? 1 : form.getValue() / sum * MOST_DESCRIPTIONS;
                for (; owed > 0.5 || list.isEmpty(); owed--) {
                    list.add(names.description(form.getKey()));
                }
            }
            return list;
        }

        /** The most frequent ones; where an event names no port its number is a number like others, which is made up for here. */
        private static List<Map.Entry<String, Long>> forms(FrequentNames<Boolean> descriptions) {
            Map<String, String> first = new HashMap<>();
            Map<String, Long> counts = new LinkedHashMap<>();
            for (Entry<Boolean> entry : descriptions.ranked()) {
                String shape =
                        NUMBER.matcher(entry.name().replace("{port}", "0")).replaceAll("0");
                String name = first.computeIfAbsent(shape, unused -> entry.name());
                counts.merge(name, entry.count(), Long::sum);
            }
            return counts.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                    .limit(MOST_DESCRIPTIONS)
                    .toList();
        }

        static Detectors detectors(StreamMeasure measure, Pseudonyms names, Parameters parameters) {
            DetectorMeasure measured = measure.detectors();
            List<Detector> shares = new ArrayList<>();
            for (Entry<DetectorMeasure.Nature> entry : measured.detectors().ranked()) {
                String name = names.detector(entry.name());
                Estimate share = Estimate.share(
                                entry.count(), measured.detectors().all())
                        .times(100);
                DetectorMeasure.Nature nature = entry.details();
                shares.add(new Detector(
                        name,
                        parameters.note("detectors." + name, share),
                        names.nodeTypes(nature.types()),
                        names.software(nature.software()),
                        WINDOW.matcher(nature.aggregation()).matches() ? nature.aggregation() : ""));
            }
            if (shares.isEmpty()) {
                shares.add(new Detector("detector-01", 1, List.of(), List.of(), ""));
            }
            List<Entry<DetectorMeasure.Nature>> relays = measured.relays().ranked();
            if (!relays.isEmpty()) {
                long rarer = measured.relays().all() - relays.get(0).count();
                measure.oddities().add(Oddity.MORE_RELAYS, rarer);
            }
            return new Detectors(
                    parameters.note(
                            "detectors.relayRatio",
                            Estimate.share(
                                    measured.relayed(), measured.detectors().all())),
                    relays.isEmpty() ? "relay" : names.detector(relays.get(0).name()),
                    shares);
        }
    }
}
