package siemload.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values and places of a YAML file, before they are interpreted. Immutable.
 */
sealed interface YamlTree {

    /** Where it begins. */
    Origin.InFile place();

    /** What it is, for people. */
    String description();

    /**
     * This file with a value of a setting, whose name is its path: {@code analysts.tier-1.users}. Elements of a list go by their name or
     * their number, from 0. A last key that is not there is added; where the way to it is not there, or the value is no YAML, that is noted.
     */
    static YamlTree with(YamlTree top, Setting setting, Problems problems) {
        Origin.InFile place = new Origin.InFile(setting.origin().toString(), 0, 0);
        Problems ofValue = new Problems();
        Optional<YamlTree> value = YamlParser.parse(
                        new YamlSource(place.file(), "", ofValue), "value: " + setting.value())
                .flatMap(written -> Optional.ofNullable(written.entries().get("value")))
                .map(written -> written.value().at(place));
        if (value.isEmpty() || !ofValue.isEmpty()) {
            problems.add(setting.origin(), setting.name() + ": " + ValueType.quoted(setting.value()) + " is no YAML");
            return top;
        }
        return top.with(List.of(setting.name().split("\\.", -1)), value.get(), setting, problems);
    }

    private YamlTree with(List<String> path, YamlTree value, Setting setting, Problems problems) {
        if (path.isEmpty()) {
            return value;
        }
        String key = path.get(0);
        List<String> rest = path.subList(1, path.size());
        if (this instanceof Mapping mapping
                && (rest.isEmpty() || mapping.entries().containsKey(key))) {
            Map<String, Entry> entries = new LinkedHashMap<>(mapping.entries());
            Entry before = entries.get(key);
            YamlTree after = before == null ? value : before.value().with(rest, value, setting, problems);
            entries.put(key, new Entry(before == null ? value.place() : before.keyPlace(), after));
            return new Mapping(mapping.place(), entries);
        }
        if (this instanceof Sequence sequence) {
            for (int i = 0; i < sequence.elements().size(); i++) {
                YamlTree element = sequence.elements().get(i);
                boolean isNamed =
                        element instanceof Mapping named && named.scalar("name").equals(Optional.of(key));
                if (isNamed || key.equals(Integer.toString(i))) {
                    List<YamlTree> elements = new ArrayList<>(sequence.elements());
                    elements.set(i, element.with(rest, value, setting, problems));
                    return new Sequence(sequence.place(), elements);
                }
            }
        }
        problems.add(setting.origin(), setting.name() + ": the scenario has no " + ValueType.quoted(key) + " here");
        return this;
    }

    /** The same at another place. */
    private YamlTree at(Origin.InFile place) {
        if (this instanceof Mapping mapping) {
            Map<String, Entry> entries = new LinkedHashMap<>();
            mapping.entries()
                    .forEach((key, entry) ->
                            entries.put(key, new Entry(place, entry.value().at(place))));
            return new Mapping(place, entries);
        }
        if (this instanceof Sequence sequence) {
            return new Sequence(
                    place,
                    sequence.elements().stream().map(one -> one.at(place)).toList());
        }
        return this instanceof Scalar scalar
                ? new Scalar(place, scalar.text(), scalar.kind())
                : new Empty(place, Empty.Quotes.NONE);
    }

    /** Keys and values, in the order of the file. */
    record Mapping(Origin.InFile place, Map<String, Entry> entries) implements YamlTree {
        @Override
        public String description() {
            return "a mapping";
        }

        /** The text under this key, if there is a single value. */
        Optional<String> scalar(String key) {
            return Optional.ofNullable(entries.get(key))
                    .filter(entry -> entry.value() instanceof Scalar)
                    .map(entry -> ((Scalar) entry.value()).text());
        }
    }

    /** A key's place, and its value. */
    record Entry(Origin.InFile keyPlace, YamlTree value) {}

    /** Values one after the other. */
    record Sequence(Origin.InFile place, List<YamlTree> elements) implements YamlTree {
        @Override
        public String description() {
            return "a list";
        }
    }

    /** What a value would be to YAML itself. */
    enum Kind {
        TEXT,
        NUMBER,
        TRUTH
    }

    /** A single value, as it was written but for quotes. */
    record Scalar(Origin.InFile place, String text, Kind kind) implements YamlTree {
        @Override
        public String description() {
            return ValueType.quoted(text);
        }
    }

    /** A key without a value. */
    record Empty(Origin.InFile place, Quotes quotes) implements YamlTree {
        /** Whether nothing at all is written, or a text without a character. */
        enum Quotes {
            NONE,
            EMPTY
        }

        @Override
        public String description() {
            return "nothing";
        }
    }

    /** Was needed and is not there, which has been noted already. */
    record Missing(Origin.InFile place) implements YamlTree {
        @Override
        public String description() {
            return "nothing";
        }
    }
}
