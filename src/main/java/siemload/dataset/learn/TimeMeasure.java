package siemload.dataset.learn;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import siemload.event.IdeaTime;
import siemload.event.SecurityEvent;

/** When events are detected, and how far their other times lie from that. Not thread-safe. */
final class TimeMeasure {
    private static final int MOST_HOURS = 200_000;
    private static final int MOST_SECONDS = 1 << 14;
    private static final int HOUR_SECONDS = 3_600;

    private final Oddities oddities;
    private final TreeMap<Long, long[]> hours = new TreeMap<>();
    private long[] lastCount = new long[1];
    private long lastHour = Long.MIN_VALUE;
    private long lastSecond = Long.MIN_VALUE;
    private boolean lastSecondHasFraction;
    private final SampledCounts seconds = new SampledCounts(MOST_SECONDS);
    private final SizeHistogram lasted = new SizeHistogram();
    private final SizeHistogram delay = new SizeHistogram();
    private final SizeHistogram window = new SizeHistogram();
    private final Majority<Long> usualWindow = new Majority<>();
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;
    private long eventTimes;
    private long windows;
    private long events;

    TimeMeasure(Oddities oddities) {
        this.oddities = oddities;
    }

    void add(SecurityEvent event) {
        events++;
        Instant detected = event.detectTime();
        long second = detected.getEpochSecond();
        countHour(second);
        boolean fraction = detected.getNano() != 0;
        if (second != lastSecond || (fraction && !lastSecondHasFraction)) {
            seconds.add(second, 0, fraction ? 1 : 0);
            lastSecond = second;
            lastSecondHasFraction = fraction;
        }
        addOther(second, event.other());
    }

    private void addOther(long detected, Map<String, JsonNode> other) {
        Optional<Instant> created = time(other, "CreateTime");
        if (created.isPresent()) {
            span(delay, created.get().getEpochSecond() - detected);
        } else if (!other.containsKey("CreateTime")) {
            oddities.add(Oddity.NO_CREATE_TIME);
        }
        Optional<Instant> began = time(other, "EventTime");
        if (began.isPresent()) {
            eventTimes++;
            span(lasted, detected - began.get().getEpochSecond());
        }
        Optional<Instant> opened = time(other, "WinStartTime");
        Optional<Instant> closed = opened.isPresent() ? time(other, "WinEndTime") : Optional.empty();
        if (closed.isPresent()) {
            windows++;
            long length = closed.get().getEpochSecond() - opened.orElseThrow().getEpochSecond();
            span(window, length);
            usualWindow.add(length);
        }
    }

    private void span(SizeHistogram spans, long seconds) {
        spans.add(seconds);
        if (seconds < 0) {
            oddities.add(Oddity.LATE_START);
        }
    }

    private Optional<Instant> time(Map<String, JsonNode> other, String key) {
        JsonNode value = other.get(key);
        if (value == null) {
            return Optional.empty();
        }
        Optional<Instant> time = value.isTextual() ? IdeaTime.parse(value.textValue()) : Optional.empty();
        if (time.isEmpty()) {
            oddities.add(Oddity.UNREADABLE_TIME);
        }
        return time;
    }

    private void countHour(long second) {
        first = Math.min(first, second);
        last = Math.max(last, second);
        long hour = Math.floorDiv(second, HOUR_SECONDS);
        if (hour != lastHour) {
            lastHour = hour;
            long[] known = hours.get(hour);
            if (known == null) {
                known = new long[1];
                if (hours.size() < MOST_HOURS) {
                    hours.put(hour, known);
                }
            }
            lastCount = known;
        }
        lastCount[0]++;
    }

    long events() {
        return events;
    }

    /** Events by hour since 1970, in order. */
    Map<Long, long[]> hours() {
        return hours;
    }

    /** The earliest detect time, in seconds since 1970. */
    long first() {
        return first;
    }

    /** The latest detect time, in seconds since 1970. */
    long last() {
        return last;
    }

    /** The seconds in which events were detected, a sample of them; those with fractions count as having occurred. */
    SampledCounts seconds() {
        return seconds;
    }

    /** Seconds from EventTime to DetectTime. */
    SizeHistogram lasted() {
        return lasted;
    }

    /** Seconds from DetectTime to CreateTime. */
    SizeHistogram delay() {
        return delay;
    }

    /** Seconds from WinStartTime to WinEndTime. */
    SizeHistogram window() {
        return window;
    }

    /** The seconds of more than half of these windows, if so many are alike. */
    Optional<Long> usualWindow() {
        return usualWindow.value();
    }

    long eventTimes() {
        return eventTimes;
    }

    long windows() {
        return windows;
    }
}
