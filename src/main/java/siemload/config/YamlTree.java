package siemload.config;

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
