package siemload.run;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The time in the names of directories, which sort by it: {@code 20261121-101500}, in UTC. Stateless and thread-safe. */
public final class TimestampName {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private TimestampName() {}

    public static String of(Instant time) {
        return FORMAT.format(time);
    }
}
