package siemload.database.layout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import siemload.config.Choices;
import siemload.database.TargetException;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/**
 * What the query of the block {@code values} for one kind of values gives, line by line. Used by one thread.
 */
public final class ValueLines {
    public static final String BLOCK = "values";

    private static final Choices<ValueField> KINDS = Choices.of(ValueField.class, ValueField::label);

    private final ValueField field;
    private final List<CountedValue> values = new ArrayList<>();

    /** What values of this kind are of, where nothing is {@link #wrong} with it. */
    public static ValueField field(String kind) {
        return KINDS.find(kind).orElseThrow();
    }

    /** @param field what the values are of */
    public ValueLines(ValueField field) {
        this.field = field;
    }

    /** What is wrong with queries for these kinds of values, as the end of a sentence; empty if nothing is. */
    public static Optional<String> wrong(Collection<?> kinds) {
        List<String> seen = new ArrayList<>();
        for (Object written : kinds) {
            String kind = String.valueOf(written);
            if (KINDS.find(kind).isEmpty()) {
                return Optional.of("has '" + kind + "', which is no kind of values (" + KINDS.help(kind) + ")");
            } else if (seen.contains(kind)) {
                return Optional.of("has two queries for " + kind + " (leave one out)");
            }
            seen.add(kind);
        }
        return Optional.empty();
    }

    /**
     * Takes a line.
     *
     * @param value what searches look for
     * @param events in how many it occurs
     * @param beside what the line has beside both, by its keys; empty where there is none
     * @throws TargetException if it is nothing to look for
     */
    public void add(String value, long events, Map<String, Optional<String>> beside) {
        refuse(field.refusal(value));
        Map<ValueField, String> known = new EnumMap<>(ValueField.class);
        new TreeMap<>(beside).forEach((key, text) -> {
            ValueField kind = field.beside().stream()
                    .filter(one -> one.label().equals(key))
                    .findFirst()
                    .orElseThrow(() -> wrong("gives a key '" + key + "' (allowed: value, events"
                            + field.beside().stream()
                                    .map(one -> ", " + one.label())
                                    .collect(Collectors.joining())
                            + ")"));
            text.filter(found -> !found.isEmpty()).ifPresent(found -> {
                refuse(kind.refusal(found));
                known.put(kind, found);
            });
        });
        values.add(new CountedValue(value, events, known));
    }

    private void refuse(Optional<String> why) {
        why.ifPresent(refusal -> {
            throw wrong(refusal);
        });
    }

    /** All that were taken. @throws TargetException if none was */
    public List<CountedValue> all() {
        if (values.isEmpty()) {
            throw wrong("gives no line (leave it out, and what looks for it)");
        }
        return List.copyOf(values);
    }

    public String place() {
        return BLOCK + ", query " + field.label();
    }

    /** What is wrong with what it gives. */
    public TargetException wrong(String what) {
        return new TargetException(place() + ": " + what);
    }
}
