package siemload.database.postgresql.search;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.database.TargetException;

/** Reads what pgbench reports with {@code -r}. Stateless. */
final class PgbenchReport {
    private static final String HEADER = "statement latencies in milliseconds";
    /** A number of failures stands between since version 15, and the first line of the statement at the end. */
    private static final Pattern LATENCY = Pattern.compile("\\s+(\\d+\\.\\d+)\\s+(?:\\d+\\s+)?\\S.*");

    private static final double MICROS = 1e3;

    private PgbenchReport() {}

    /**
     * The mean time of each statement of its script in microseconds.
     *
     * @throws TargetException if it does not tell those of so many statements, or some failed
     */
    static List<Double> meanMicros(String said, int statements) {
        List<Double> micros = new ArrayList<>();
        boolean latencies = false;
        for (String line : said.lines().toList()) {
            Matcher latency = LATENCY.matcher(line);
            if (latencies && latency.matches()) {
                micros.add(Double.parseDouble(latency.group(1)) * MICROS);
            }
            latencies |= line.startsWith(HEADER);
        }
        if (micros.size() != statements || micros.contains(0.0)) {
            throw new TargetException(
                    "pgbench did not tell the times of " + statements + " statements: " + lastLine(said));
        }
        return micros;
    }

    /** Why it ended, if it failed. */
    static String lastLine(String said) {
        return said.strip().lines().reduce("it said nothing", (before, line) -> line);
    }
}
