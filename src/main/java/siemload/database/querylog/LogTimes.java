package siemload.database.querylog;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times as logs write them: {@code 2024-03-01 12:00:00.123 CET}, where the zone is an abbreviation or an offset. Of an abbreviation that
 * several zones have, Europe's is taken and then America's; one that none has counts as UTC. Only differences of times matter here, and
 * they are right either way where the log keeps to one zone with its summer time. Not thread-safe.
 */
final class LogTimes {
    private static final Pattern TIME =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\d) (\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?) ?([^\\s,\"]{1,20})");

    private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);
    private static final Pattern OFFSET = Pattern.compile("<?([+-]\\d\\d)(?::?(\\d\\d))?>?");
    private static final Map<String, Integer> ZONES = zones();

    private String lastZone = "";
    private int lastSeconds;

    /** Microseconds since 1970; empty where the text is no time. */
    Optional<Long> micros(String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            return Optional.empty();
        }
        try {
            LocalDateTime local = LocalDateTime.parse(time.group(1) + "T" + time.group(2));
            long micros = ChronoUnit.MICROS.between(EPOCH, local);
            return Optional.of(micros - offsetSeconds(time.group(3)) * 1_000_000L);
        } catch (DateTimeException none) {
            return Optional.empty();
        }
    }

    private int offsetSeconds(String zone) {
        if (!zone.equals(lastZone)) {
            Matcher offset = OFFSET.matcher(zone);
            lastSeconds = offset.matches() ? seconds(offset) : ZONES.getOrDefault(zone, 0);
            lastZone = zone;
        }
        return lastSeconds;
    }

    private static int seconds(Matcher offset) {
        int minutes = offset.group(2) == null ? 0 : Integer.parseInt(offset.group(2));
        int hours = Integer.parseInt(offset.group(1));
        return hours * 3_600 + (offset.group(1).startsWith("-") ? -minutes : minutes) * 60;
    }

    private static Map<String, Integer> zones() {
        Map<String, Integer> offsets = new HashMap<>();
        Arrays.stream(TimeZone.getAvailableIDs())
                .sorted(Comparator.comparingInt(LogTimes::place).thenComparing(Comparator.naturalOrder()))
                .map(TimeZone::getTimeZone)
                .forEach(zone -> {
                    int raw = zone.getRawOffset() / 1_000;
                    offsets.putIfAbsent(zone.getDisplayName(false, TimeZone.SHORT, Locale.ENGLISH), raw);
                    if (zone.getDSTSavings() > 0) {
                        offsets.putIfAbsent(
                                zone.getDisplayName(true, TimeZone.SHORT, Locale.ENGLISH),
                                raw + zone.getDSTSavings() / 1_000);
                    }
                });
        offsets.put("UTC", 0);
        offsets.put("GMT", 0);
        return Map.copyOf(offsets);
    }

    private static int place(String id) {
        return id.startsWith("Europe/") ? 0 : id.startsWith("America/") ? 1 : 2;
    }
}
