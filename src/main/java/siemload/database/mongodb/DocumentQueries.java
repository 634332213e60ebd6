package siemload.database.mongodb;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import siemload.database.ExistingEvents.Span;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.database.layout.EventText;
import siemload.database.layout.ValueLines;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/**
 * What a layout without loading asks of documents before they are searched: when they were, and which values they have. Used by one
 * thread.
 */
record DocumentQueries(EventCommands commands, StoppableOperation operation) {
    private static final String TIMES = "times";
    private static final String EVENTS = ValueLines.EVENTS;

    /**
     * When the events were, and how many there are.
     *
     * @throws TargetException if there are none, or the times are none, or the query fails
     */
    Span span() {
        DocumentLayout layout = commands.variant().layout();
        List<Document> stages = layout.pipeline("times", Map.of("time", layout.timeOfRows()));
        List<Document> lines = asking(TIMES + " failed", () -> lines(stages, 2));
        if (lines.isEmpty() || whole(lines.get(0), EVENTS, TIMES) < 1) {
            throw new TargetException(TIMES + " finds no event: there is nothing to search");
        }
        Document line = lines.get(0);
        return new Span(time(line, "oldest"), time(line, "newest"), whole(line, EVENTS, TIMES));
    }

    private static Instant time(Document line, String key) {
        return EventText.instant(whole(line, key, TIMES + ", as DetectMicros of the block rows,"));
    }

    private static long whole(Document line, String key, String file) {
        if (line.get(key) instanceof Number number && number.longValue() == number.doubleValue()) {
            return number.longValue();
        }
        throw new TargetException(file + " gives as " + key + " " + shown(line.get(key))
                + " (needed: a whole number; times are in microseconds since 1970)");
    }

    private static String shown(@Nullable Object value) {
        return value == null ? "nothing" : value + " (" + value.getClass().getSimpleName() + ")";
    }

    /**
     * The values of a kind, as its query has them.
     *
     * @param most how many are taken at most
     * @throws TargetException if there are none, or what cannot be looked for, or the query fails
     */
    List<CountedValue> values(ValueField field, List<Document> query, int most) {
        ValueLines values = new ValueLines(field);
        for (Document line : asking(values.place() + " failed", () -> lines(query, most))) {
            String value = text(line.get(ValueLines.VALUE))
                    .orElseThrow(() -> values.wrong("gives as value " + shown(line.get(ValueLines.VALUE))
                            + " (needed: text, a whole number or an ObjectId; leave others out by $match)"));
            values.add(value, whole(line, EVENTS, values.place()), beside(line));
        }
        return values.all();
    }

    private static Map<String, Optional<String>> beside(Document line) {
        Map<String, Optional<String>> beside = new HashMap<>();
        line.forEach((key, value) -> {
            if (!Set.of("_id", ValueLines.VALUE, EVENTS).contains(key)) {
                beside.put(key, text(value));
            }
        });
        return beside;
    }

    private static Optional<String> text(@Nullable Object value) {
        if (value instanceof String text) {
            return Optional.of(text);
        } else if (value instanceof ObjectId id) {
            return Optional.of(id.toHexString());
        }
        return value instanceof Number number && number.longValue() == number.doubleValue()
                ? Optional.of(Long.toString(number.longValue()))
                : Optional.empty();
    }

    private List<Document> lines(List<Document> stages, int most) {
        List<Document> bounded = new ArrayList<>(stages);
        bounded.add(new Document("$limit", most));
        return commands.aggregated(bounded, Document.class, Optional.empty(), operation.comment())
                .into(new ArrayList<>());
    }

    private <T> T asking(String failed, Supplier<T> answer) {
        operation.begin();
        try {
            return operation.answered(answer);
        } catch (SearchException wrong) {
            throw new TargetException(
                    failed + " in the collection "
                            + commands.events().getNamespace().getFullName() + ": " + wrong.getMessage(),
                    wrong);
        }
    }
}
