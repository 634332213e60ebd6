package siemload.config;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A value of a YAML file that knows its place. Its reader asks for what is needed; what is wrong is noted, a
 * stand-in comes back, and reading goes on: {@link YamlDocument#read} throws at the end, with everything. Not
 * thread-safe.
 */
public final class YamlNode {
    private final YamlSource source;
    private final String path;
    private final YamlTree tree;
    private final Map<String, YamlNode> children = new LinkedHashMap<>();
    private final List<YamlNode> elements = new ArrayList<>();
    private final Set<String> knownKeys = new LinkedHashSet<>();
    private boolean freeKeys;

    YamlNode(YamlSource source, String path, YamlTree tree) {
        this.source = source;
        this.path = path;
        this.tree = tree;
    }

    /** The value of a key that must be there. */
    public YamlNode required(String key) {
        return optional(key).orElseGet(() -> {
            if (isMapping()) {
                source.note(tree.place(), pathOf(key), "is missing");
            }
            return new YamlNode(source, pathOf(key), new YamlTree.Missing(tree.place()));
        });
    }

    /** The value of a key that may be left out. */
    public Optional<YamlNode> optional(String key) {
        requireMapping();
        knownKeys.add(key);
        return Optional.ofNullable(children().get(key));
    }

    /** The values of a mapping whose keys are free, in the order of the file. Immutable. */
    public Map<String, YamlNode> entries() {
        requireMapping();
        freeKeys = true;
        return Collections.unmodifiableMap(children());
    }

    /** The values of a mapping whose keys must be among these choices, in the order of the file. */
    public <T> Map<T, YamlNode> entries(Choices<T> keys) {
        Map<T, YamlNode> chosen = new LinkedHashMap<>();
        entries()
                .forEach((key, value) -> keys.find(key)
                        .ifPresentOrElse(
                                choice -> chosen.put(choice, value),
                                () -> problemWithKey(key, "unknown key (" + keys.help(key) + ")")));
        return chosen;
    }

    /** The elements of a list, in order. Immutable. */
    public List<YamlNode> elements() {
        if (!isList()) {
            problemFound("a list");
        }
        if (elements.isEmpty() && tree instanceof YamlTree.Sequence sequence) {
            for (YamlTree element : sequence.elements()) {
                String label = "[" + label(element, elements.size()) + "]";
                elements.add(new YamlNode(source, path + label, element));
            }
        }
        return Collections.unmodifiableList(elements);
    }

    /** The single value here, as this type. */
    public <T> T as(ValueType<T> type) {
        if (!(tree instanceof YamlTree.Scalar scalar)) {
            problemFound(type.allowed());
            return type.standIn();
        }
        try {
            return type.parse(scalar.text());
        } catch (IllegalArgumentException e) {
            problem(String.valueOf(e.getMessage()));
            return type.standIn();
        }
    }

    /** The single value as it was written, but for quotes; empty for anything else. */
    public String written() {
        return tree instanceof YamlTree.Scalar scalar ? scalar.text() : "";
    }

    /** Text that is not blank. */
    public String text() {
        return as(ValueType.text());
    }

    /** A whole number in this range, both ends included. */
    public int wholeNumber(int min, int max) {
        return as(ValueType.wholeNumber(min, max));
    }

    /** A whole number in this range, both ends included. */
    public long wholeNumber(long min, long max) {
        return as(ValueType.wholeNumber(min, max));
    }

    /** A decimal number in this range, both ends included; {@code Double.MAX_VALUE} for no upper bound. */
    public double number(double min, double max) {
        return as(ValueType.number(min, max));
    }

    /** A ratio, 0 to 1. */
    public double ratio() {
        return as(ValueType.ratio());
    }

    /** A duration in this range, both ends included; {@link Durations} says how it is written. */
    public Duration duration(Duration min, Duration max) {
        return as(ValueType.duration(min, max));
    }

    /** An instant with its offset from UTC, as in RFC 3339. */
    public Instant instant() {
        return as(ValueType.instant());
    }

    /** One of some names. */
    public <T> T choice(Choices<T> choices) {
        return as(ValueType.choice(choices));
    }

    /** Whether this is a mapping, for values that may be written in more ways than one. */
    public boolean isMapping() {
        return tree instanceof YamlTree.Mapping;
    }

    /** Whether this is a list, for values that may be written in more ways than one. */
    public boolean isList() {
        return tree instanceof YamlTree.Sequence;
    }

    /** Notes that something is wrong here: what was found, and what is allowed. */
    public void problem(String message) {
        if (!(tree instanceof YamlTree.Missing)) {
            source.note(tree.place(), path, message);
        }
    }

    /** Notes that something is wrong at this character (0 for the first) of the single value here. */
    public void problemAt(int offset, String message) {
        if (tree instanceof YamlTree.Scalar scalar) {
            source.note(source.inside(scalar, offset), path, message);
        }
    }

    /** Notes that something is wrong with this key of the mapping here; what stands under it is not shown. */
    public void problemWithKey(String key, String message) {
        if (tree instanceof YamlTree.Mapping mapping) {
            YamlTree.Entry entry =
                    Optional.ofNullable(mapping.entries().get(key)).orElseThrow();
            source.noteKey(entry.keyPlace(), pathOf(key), key, message);
        }
    }

    /** The way from the top of the file: {@code analysts[tier-1].users}; elements without a name have their index. */
    public String path() {
        return path;
    }

    /** The way from the top of the file to a key of the mapping here, whether it is there or not. */
    public String pathOf(String key) {
        String shown = ValueType.brief(key);
        return path.isEmpty() ? shown : path + "." + shown;
    }

    /** Where the value stands. */
    public Origin origin() {
        return tree.place();
    }

    @Override
    public String toString() {
        return tree.place() + ": " + path;
    }

    /** Notes the keys that no reader asked for, here and below. */
    void noteUnknownKeys() {
        elements.forEach(YamlNode::noteUnknownKeys);
        children.forEach((key, child) -> {
            if (freeKeys || knownKeys.contains(key)) {
                child.noteUnknownKeys();
            } else if (!knownKeys.isEmpty()) {
                problemWithKey(
                        key,
                        "unknown key (" + NearestName.suggestion(key, knownKeys) + "known keys here: "
                                + String.join(", ", knownKeys) + ")");
            }
        });
    }

    /** Made when they are asked for: what is not read may be large. */
    private Map<String, YamlNode> children() {
        if (children.isEmpty() && tree instanceof YamlTree.Mapping mapping) {
            mapping.entries()
                    .forEach((key, entry) -> children.put(key, new YamlNode(source, pathOf(key), entry.value())));
        }
        return children;
    }

    private void requireMapping() {
        if (!isMapping()) {
            problemFound("a mapping (key: value)");
        }
    }

    private void problemFound(String allowed) {
        problem("found " + tree.description() + " (allowed: " + allowed + ")");
    }

    private static String label(YamlTree element, int index) {
        return element instanceof YamlTree.Mapping mapping
                ? mapping.scalar("name").map(ValueType::brief).orElseGet(() -> Integer.toString(index))
                : Integer.toString(index);
    }
}
