package siemload.dataset.learn;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import siemload.event.SecurityEvent;

/** What else events say. Not thread-safe. */
final class DetailMeasure {
    private static final int MOST_KEYS = 256;

    private final Oddities oddities;
    private final FrequentNames<Boolean> keys = new FrequentNames<>(MOST_KEYS, () -> true);
    private final SizeHistogram counts = new SizeHistogram();
    private final SizeHistogram notes = new SizeHistogram();
    private final SizeHistogram sentences = new SizeHistogram();
    private long flowCounts;
    private long connectionCounts;
    private long storageTimes;

    DetailMeasure(Oddities oddities) {
        this.oddities = oddities;
    }

    void add(SecurityEvent event) {
        for (Map.Entry<String, JsonNode> entry : event.other().entrySet()) {
            add(entry.getKey(), entry.getValue());
        }
    }

    private void add(String key, JsonNode value) {
        switch (key) {
            case "Format", "CreateTime", "EventTime", "CeaseTime", "WinStartTime", "WinEndTime" -> {}
            case "FlowCount" -> flowCounts += count(value);
            case "ConnCount" -> connectionCounts += count(value);
            case "Note" -> note(value);
            case "_CESNET" -> storageTimes += value.has("StorageTime") ? 1 : 0;
            default -> {
                keys.count(key);
                oddities.add(IdeaWords.isTyped(key) ? Oddity.UNFIT_VALUE : Oddity.OWN_KEY);
            }
        }
    }

    private int count(JsonNode value) {
        if (value.isIntegralNumber() && value.canConvertToLong()) {
            counts.add(value.longValue());
        } else {
            oddities.add(Oddity.UNFIT_VALUE);
        }
        return 1;
    }

    private void note(JsonNode value) {
        String text = value.asText();
        notes.add(text.length());
        int found = 1;
        for (int end = text.indexOf(". "); end >= 0; end = text.indexOf(". ", end + 2)) {
            found++;
        }
        sentences.add(found);
    }

    /** Keys that are not generated, by the number of events that have them. */
    FrequentNames<Boolean> keys() {
        return keys;
    }

    /** Numbers of flows and of connections. */
    SizeHistogram counts() {
        return counts;
    }

    /** Characters of notes. */
    SizeHistogram notes() {
        return notes;
    }

    /** Sentences of notes. */
    SizeHistogram sentences() {
        return sentences;
    }

    long flowCounts() {
        return flowCounts;
    }

    long connectionCounts() {
        return connectionCounts;
    }

    long storageTimes() {
        return storageTimes;
    }
}
