package siemload.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A value of a YAML file that knows its place. Its reader asks for what is needed; what is wrong is noted, a
 * stand-in comes back, and reading goes on: {@link YamlDocument#read} throws at the end, with everything. Before it is read,
 * settings may take the place of values. Not thread-safe.
 */
public final class YamlNode {
    private final YamlDocument source;
    private final Kind kind;
    private final Origin place;
    private final String text;
    private final Map<String, YamlNode> children = new LinkedHashMap<>();
    private final Map<String, Origin> keyPlaces = new HashMap<>();
    private final List<YamlNode> elements = new ArrayList<>();
    private final Set<String> knownKeys = new LinkedHashSet<>();
    private Supplier<String> path = () -> "";

    /** What stands in a file: of a single value its text but for quotes; nothing is a text without a character, too. */
    enum Kind {
        MAPPING,
        LIST,
        VALUE,
        EMPTY,
        /** Was needed and is not there, which has been noted already. */
        MISSING
    }

    /** @param text of a single value */
    YamlNode(YamlDocument source, Kind kind, Origin place, String text) {
        this.source = source;
        this.kind = kind;
        this.place = place;
        this.text = text;
    }

    /** Puts a value under a key of this mapping, and gives where the key stood already. */
    Optional<Origin> put(String key, YamlNode value, Origin keyPlace) {
        value.path = () -> pathOf(key);
        children.put(key, value);
        return Optional.ofNullable(keyPlaces.putIfAbsent(key, keyPlace));
    }

    /** Adds an element to this list. */
    void add(YamlNode element) {
        int index = elements.size();
        element.path = () -> path() + "[" + element.name().orElse(Integer.toString(index)) + "]";
        elements.add(element);
    }

    private Optional<String> name() {
        return peek("name")
                .map(YamlNode::written)
                .filter(name -> !name.isEmpty())
                .map(ValueType::brief);
    }

    /** The value of a key that must be there. */
    public YamlNode required(String key) {
        return optional(key).orElseGet(() -> {
            if (isMapping()) {
                source.note(place, pathOf(key), "is missing");
            }
            YamlNode missing = new YamlNode(source, Kind.MISSING, place, "");
            missing.path = () -> pathOf(key);
            return missing;
        });
    }

    /** The value of a key that may be left out. */
    public Optional<YamlNode> optional(String key) {
        requireMapping();
        knownKeys.add(key);
        return peek(key);
    }

    /** The value of a key, if there is one: neither this being no mapping nor the key is a problem. */
    public Optional<YamlNode> peek(String key) {
        return Optional.ofNullable(children.get(key));
    }

    /** The value of a key that is left out: what would be written for it. */
    YamlNode standard(String key, String yaml) {
        YamlNode value = source.value(yaml, new Origin.Default()).orElseThrow();
        value.path = () -> pathOf(key);
        return value;
    }

    /** Puts the text of a setting into the place of what stands under a key, which need not be there. */
    public void put(String key, String value, Origin origin) {
        put(key, new YamlNode(source, Kind.VALUE, origin, value), origin);
    }

    /**
     * Puts a value, whose name is its path, into the place of the file's: {@code analysts.tier-1.users}. Elements of a
     * list go by their name or their number, from 0, or are all of those that have the rest of the path. A last key that is not there
     * is added, but for all; where the way to it is not there, or the value is no YAML, that is noted.
     */
    public void set(Setting setting) {
        Optional<String> missing =
                source.value(setting.value(), setting.origin()).isEmpty()
                        ? Optional.of(ValueType.quoted(setting.value()) + " is no YAML")
                        : set(setting.name().split("\\.", 2), setting)
                                .map(key -> "the scenario has no " + ValueType.quoted(key) + " here");
        missing.ifPresent(why -> source.note(setting.origin(), setting.name(), why));
    }

    /** @return the key that is missing on the way; empty where the value is set now */
    private Optional<String> set(String[] path, Setting setting) {
        if (path.length == 1) {
            if (!isMapping()) {
                return Optional.of(path[0]);
            }
            put(path[0], source.value(setting.value(), setting.origin()).orElseThrow(), setting.origin());
            return Optional.empty();
        }
        String[] rest = path[1].split("\\.", 2);
        Optional<YamlNode> below = child(path[0]);
        if (below.isPresent() || !isList() || !path[0].equals("all")) {
            return below.isPresent() ? below.get().set(rest, setting) : Optional.of(path[0]);
        }
        List<YamlNode> all = elements.stream().filter(one -> one.has(path[1])).toList();
        all.forEach(one -> one.set(rest, setting));
        return all.isEmpty() ? Optional.of(path[1]) : Optional.empty();
    }

    private boolean has(String path) {
        String[] keys = path.split("\\.", 2);
        Optional<YamlNode> below = child(keys[0]);
        return below.isPresent() && (keys.length == 1 || below.get().has(keys[1]));
    }

    /** The value of a key of a mapping, or the element of a list with this name or number. */
    Optional<YamlNode> child(String key) {
        for (int i = 0; i < elements.size(); i++) {
            YamlNode element = elements.get(i);
            if (element.name().equals(Optional.of(key)) || key.equals(Integer.toString(i))) {
                return Optional.of(element);
            }
        }
        return peek(key);
    }

    /** The values of a mapping whose keys are free, in the order of the file. Immutable. */
    public Map<String, YamlNode> entries() {
        requireMapping();
        knownKeys.addAll(children.keySet());
        return Collections.unmodifiableMap(children);
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
        return Collections.unmodifiableList(elements);
    }

    /** The single value here, as this type; empty where it is none, which is noted. */
    public <T> Optional<T> find(ValueType<T> type) {
        if (kind != Kind.VALUE) {
            problemFound(type.allowed());
            return Optional.empty();
        }
        try {
            return Optional.of(type.parse(text));
        } catch (ValueType.WrongPlace wrong) {
            problemAt(wrong.offset(), String.valueOf(wrong.getMessage()));
        } catch (IllegalArgumentException wrong) {
            problem(String.valueOf(wrong.getMessage()));
        }
        return Optional.empty();
    }

    /** The single value here, as this type; a stand-in where it is none, which is noted. */
    public <T> T as(ValueType<T> type) {
        return find(type).orElseGet(type::standIn);
    }

    /** The single value as it was written, but for quotes; empty for anything else. */
    public String written() {
        return text;
    }

    /** Text that is not blank. */
    public String text() {
        return as(ValueType.text());
    }

    /** One of some names. */
    public <T> T choice(Choices<T> choices) {
        return as(ValueType.choice(choices));
    }

    /** Whether this is a mapping, for values that may be written in more ways than one. */
    public boolean isMapping() {
        return kind == Kind.MAPPING;
    }

    /** Whether this is a list, for values that may be written in more ways than one. */
    public boolean isList() {
        return kind == Kind.LIST;
    }

    /** Whether nothing stands here, or something with no key, element or character in it. */
    boolean isEmpty() {
        return kind == Kind.EMPTY || (isMapping() && children.isEmpty());
    }

    /** Notes that something is wrong here: what was found, and what is allowed. */
    public void problem(String message) {
        if (kind != Kind.MISSING) {
            source.note(place, path(), message);
        }
    }

    /** Notes that something is wrong at this character (0 for the first) of the single value here. */
    public void problemAt(int offset, String message) {
        if (kind == Kind.VALUE) {
            source.note(source.inside(place, text, offset), path(), message);
        }
    }

    /** Notes that something is wrong with this key of the mapping here; what stands under it is not shown. */
    public void problemWithKey(String key, String message) {
        Optional.ofNullable(keyPlaces.get(key))
                .ifPresent(keyPlace -> source.noteKey(keyPlace, pathOf(key), key, message));
    }

    /** The way from the top of the file: {@code analysts[tier-1].users}; elements without a name have their index. */
    public String path() {
        return path.get();
    }

    /** The way from the top of the file to a key of the mapping here, whether it is there or not. */
    public String pathOf(String key) {
        String above = path();
        return (above.isEmpty() ? "" : above + ".") + ValueType.brief(key);
    }

    /** Where the value stands, or who gave it in its place. */
    public Origin origin() {
        return place;
    }

    /** What it is, for people. */
    String description() {
        return switch (kind) {
            case MAPPING -> "a mapping";
            case LIST -> "a list";
            case VALUE -> ValueType.quoted(text);
            case EMPTY, MISSING -> "nothing";
        };
    }

    /** Notes the keys that no reader asked for, here and below. */
    void noteUnknownKeys() {
        elements.forEach(YamlNode::noteUnknownKeys);
        children.forEach((key, child) -> {
            if (knownKeys.contains(key)) {
                child.noteUnknownKeys();
            } else if (!knownKeys.isEmpty()) {
                problemWithKey(
                        key,
                        "unknown key (" + NearestName.suggestion(key, knownKeys) + "known keys here: "
                                + String.join(", ", knownKeys) + ")");
            }
        });
    }

    private void requireMapping() {
        if (!isMapping()) {
            problemFound("a mapping (key: value)");
        }
    }

    private void problemFound(String allowed) {
        problem("found " + description() + " (allowed: " + allowed + ")");
    }
}
