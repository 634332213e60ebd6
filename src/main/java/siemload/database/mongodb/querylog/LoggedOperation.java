package siemload.database.mongodb.querylog;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * One operation, as a record of the structured log or a document of the profiler tells it. Immutable.
 *
 * @param session the connection by the log, the session or the client by the profiler
 * @param program the application name; empty where the client gives none
 * @param endMicros since 1970
 * @param kind {@code command}, {@code update}, {@code getmore} and the like
 * @param command as the server received it; an empty document where it is not told
 * @param failed whether it ended with an error
 * @param cut whether something of it is missing
 */
record LoggedOperation(
        String session,
        String database,
        String program,
        long endMicros,
        long durationMicros,
        String kind,
        JsonNode command,
        boolean failed,
        boolean cut) {
    private static final String SLOW = "Slow query";

    /** Whether this is a record of the structured log (manual, Log Messages). */
    static boolean isLog(JsonNode json) {
        return json.path("t").has("$date") && json.has("c") && json.path("msg").isTextual();
    }

    /** Whether this is a document of the profiler (manual, Database Profiler Output). */
    static boolean isProfile(JsonNode json) {
        return json.path("op").isTextual() && json.path("ns").isTextual() && json.has("ts") && json.has("millis");
    }

    /** What a record of the structured log tells; empty where it is about something else. */
    static Optional<LoggedOperation> ofLog(JsonNode json) {
        JsonNode told = json.path("attr");
        Optional<Long> micros = micros(json.path("t"));
        if (!json.path("msg").asText().equals(SLOW) || micros.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new LoggedOperation(
                json.path("ctx").asText(),
                database(told),
                told.path("appName").asText(),
                micros.get(),
                duration(told.path("durationMillis")),
                told.path("type").asText(),
                told.path("command"),
                told.has("errMsg") || told.has("errCode"),
                json.has("truncated")));
    }

    /** What a document of the profiler tells; empty where it has no time. */
    static Optional<LoggedOperation> ofProfile(JsonNode json) {
        JsonNode command = json.path("command");
        JsonNode session = command.path("lsid").path("id");
        return micros(json.path("ts"))
                .map(micros -> new LoggedOperation(
                        session.isMissingNode()
                                ? json.path("client").asText() + "|"
                                        + json.path("appName").asText()
                                : session.toString(),
                        database(json),
                        json.path("appName").asText(),
                        micros,
                        duration(json.path("millis")),
                        json.path("op").asText(),
                        command,
                        json.has("errMsg") || json.has("errCode"),
                        command.has("$truncated")));
    }

    /** The command tells it, and otherwise the namespace, which ends at the first dot. */
    private static String database(JsonNode told) {
        JsonNode named = told.path("command").path("$db");
        return named.isTextual() ? named.asText() : told.path("ns").asText().split("\\.", 2)[0];
    }

    /** A number is written plainly, or within its type. */
    private static long duration(JsonNode millis) {
        String text = millis.isObject() && !millis.isEmpty()
                ? millis.elements().next().asText()
                : millis.asText();
        try {
            return new BigDecimal(text)
                            .min(BigDecimal.valueOf(Integer.MAX_VALUE))
                            .max(BigDecimal.ZERO)
                            .longValue()
                    * 1_000;
        } catch (NumberFormatException none) {
            return 0;
        }
    }

    private static Optional<Long> micros(JsonNode date) {
        JsonNode told = date.path("$date");
        try {
            if (told.isObject()) {
                return inRange(Instant.ofEpochMilli(
                        Long.parseLong(told.path("$numberLong").asText())));
            }
            return told.isNumber()
                    ? inRange(Instant.ofEpochMilli(told.asLong()))
                    : inRange(OffsetDateTime.parse(told.asText()).toInstant());
        } catch (DateTimeException | NumberFormatException none) {
            return Optional.empty();
        }
    }

    /** Between the years 1970 and 9999: others are no times of a log. */
    private static Optional<Long> inRange(Instant instant) {
        boolean isTime = !instant.isBefore(Instant.EPOCH) && instant.isBefore(Instant.parse("9999-01-01T00:00:00Z"));
        return isTime ? Optional.of(ChronoUnit.MICROS.between(Instant.EPOCH, instant)) : Optional.empty();
    }
}
