package siemload.database.layout;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import siemload.config.Choices;
import siemload.database.TargetException;
import siemload.query.CountedValue;
import siemload.query.ValueField;
import siemload.query.ValueField.Beside;

/**
 * What the query of {@code values.json} for one kind of values gives, line by line. Used by one thread.
 */
public final class ValueLines {
    /** The file, without its ending. */
    public static final String FILE = "values";
    /** The key of the value in a line. */
    public static final String VALUE = "value";
    /** The key of the number of events that have it. */
    public static final String EVENTS = "events";

    /** What values can be of, by the keys of the file. */
    public static final Choices<ValueField> KINDS = Choices.of(ValueField.class, ValueField::label);

    private final ValueField field;
    private final List<CountedValue> values = new ArrayList<>();

    /** @param field what the values are of */
    public ValueLines(ValueField field) {
        this.field = field;
    }

    /**
     * Notes what is wrong with the file: whatever is no query for a kind of values. Each kind is there once, since a key that stands
     * twice is no JSON here.
     *
     * @param isQuery whether that is a query
     * @param like a query, for people
     * @param needed the same in words, with what it is called before: {@code pipeline (needed: an array)}
     */
    public static void check(FolderFiles files, Object json, Predicate<Object> isQuery, String like, String needed) {
        if (!(json instanceof Map<?, ?> queries)) {
            files.problem(FILE, "is no object (needed: {\"category\": " + like + ", ...})");
            return;
        }
        queries.forEach((key, query) -> {
            String kind = String.valueOf(key);
            if (KINDS.find(kind).isEmpty()) {
                files.problem(FILE, "'" + kind + "' is no kind of values (" + KINDS.help(kind) + ")");
            } else if (!isQuery.test(query)) {
                files.problem(FILE, kind + " has no " + needed);
            }
        });
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
        Map<Beside, String> known = new EnumMap<>(Beside.class);
        new TreeMap<>(beside).forEach((key, text) -> {
            Beside kind = beside(key);
            text.ifPresent(found -> {
                refuse(kind.refusal(found));
                known.put(kind, found);
            });
        });
        values.add(new CountedValue(value, events, known));
    }

    private Beside beside(String key) {
        return field.beside().stream()
                .filter(one -> one.label().equals(key))
                .findFirst()
                .orElseThrow(() -> wrong("gives a key '" + key + "' (allowed: " + allowed() + ")"));
    }

    private String allowed() {
        List<String> keys = new ArrayList<>(List.of(VALUE, EVENTS));
        field.beside().forEach(one -> keys.add(one.label()));
        return String.join(", ", keys);
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

    /** Where the query stands, for people. */
    public String place() {
        return FILE + ".json, query " + field.label();
    }

    /** What is wrong with what it gives. */
    public TargetException wrong(String what) {
        return new TargetException(place() + ": " + what);
    }
}
