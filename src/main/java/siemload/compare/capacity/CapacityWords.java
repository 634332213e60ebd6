package siemload.compare.capacity;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Loads, runs and what they came to, for people. Stateless. */
public final class CapacityWords {
    private CapacityWords() {}

    /** A load and what is beside it: {@code 80 analysts at 1000 events/s}. */
    static String load(VariedLoad varied, double load, Map<String, Double> beside) {
        return varied.words(load) + beside(beside);
    }

    /** What a run says of its load: {@code not met: HAWAT1 responseTime p95 < 2s: 2.31s}. */
    public static String outcome(Trial trial) {
        String why = trial.why().isEmpty() ? "" : ": " + String.join("; ", trial.why());
        return switch (trial.outcome()) {
                    case MET -> "met";
                    case NOT_MET -> "not met";
                    case INVALID -> "not valid";
                }
                + why;
    }

    /** What was found, in a sentence without its end: {@code 80 analysts (72 to 90) at 1000 events/s}. */
    static String sentence(VariedLoad varied, Map<String, Double> beside, Finding finding, List<Trial> trials) {
        String place = beside.isEmpty() ? fed(varied, trials) : beside(beside);
        String interval = varied.words(finding.estimate()) + " (" + VariedLoad.number(finding.low()) + " to "
                + VariedLoad.number(finding.high()) + ")" + place;
        return switch (finding.kind()) {
            case FOUND -> interval;
            case ROUGHLY -> interval + ", not known as exactly as was asked for after " + trials.size() + " runs";
            case AT_LEAST ->
                "at least " + varied.words(finding.estimate()) + place
                        + ": every load up to that, the most that was allowed, meets the objectives";
            case LESS_THAN ->
                "none: not even " + varied.words(finding.high()) + place + " meets the objectives, the least that was"
                        + " allowed";
            case NOT_MEASURABLE ->
                "at least " + varied.words(finding.low()) + place + "; runs at " + varied.words(finding.high())
                        + " are not valid, so that nothing is known of more";
            case NOTHING_MET ->
                "not known: no run up to " + varied.words(finding.high()) + place + " met the objectives, but "
                        + (trials.stream().anyMatch(trial -> trial.outcome() == TrialOutcome.INVALID)
                                ? "some were not valid"
                                : "there were too few to be certain");
        };
    }

    private static String beside(Map<String, Double> beside) {
        return beside.entrySet().stream()
                .map(entry -> beside(VariedLoad.of(entry.getKey()), entry.getValue()))
                .collect(Collectors.joining());
    }

    private static String beside(VariedLoad varied, double load) {
        if (varied == VariedLoad.EVENTS_PER_SECOND) {
            return load == 0 ? " while nothing is fed" : " at " + varied.words(load);
        }
        return " with " + varied.words(load);
    }

    /** The feeder of the scenario goes on beside users. */
    private static String fed(VariedLoad varied, List<Trial> trials) {
        double fed = trials.stream()
                .mapToDouble(trial -> trial.figures().eventsPerSecond())
                .max()
                .orElse(0);
        return varied == VariedLoad.EVENTS_PER_SECOND || fed == 0
                ? ""
                : beside(VariedLoad.EVENTS_PER_SECOND, VariedLoad.EVENTS_PER_SECOND.rounded(fed));
    }
}
