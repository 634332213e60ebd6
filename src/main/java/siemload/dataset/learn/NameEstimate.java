package siemload.dataset.learn;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import siemload.dataset.EventProfile.Categories;
import siemload.dataset.EventProfile.Category;
import siemload.dataset.EventProfile.Detector;
import siemload.dataset.EventProfile.Detectors;
import siemload.dataset.learn.FrequentNames.Entry;
import siemload.dataset.statistics.Estimate;

/** Categories and detectors for a profile, the most frequent first, from what was measured. Stateless. */
final class NameEstimate {
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
                parameters.note("categories.secondRatio", Estimate.share(measured.second(), measure.events())), shares);
    }

    /** Each once where all are about as frequent, or else as often as it has twentieths. */
    private static List<String> descriptions(FrequentNames<Boolean> descriptions, Pseudonyms names) {
        List<Map.Entry<String, Long>> forms = forms(descriptions);
        if (forms.isEmpty()) {
            return List.of("-");
        }
        double sum = forms.stream().mapToLong(Map.Entry::getValue).sum();
        double mean = sum / forms.size();
        boolean alike = forms.stream().allMatch(form -> Math.abs(form.getValue() - mean) <= ALIKE * Math.sqrt(mean));
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
            String shape = NUMBER.matcher(entry.name().replace("{port}", "0")).replaceAll("0");
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
            Estimate share =
                    Estimate.share(entry.count(), measured.detectors().all()).times(100);
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
                        Estimate.share(measured.relayed(), measured.detectors().all())),
                relays.isEmpty() ? "relay" : names.detector(relays.get(0).name()),
                shares);
    }
}
