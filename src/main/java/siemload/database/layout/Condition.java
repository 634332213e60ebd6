package siemload.database.layout;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** What events must meet, as a tree whose leaves are blocks of a layout. Immutable. */
public sealed interface Condition {
    /**
     * A block.
     *
     * @param name of it, without {@link Conditions#PREFIX}
     * @param values by their names in the block
     */
    record Leaf(String name, Function<String, ?> values) implements Condition {}

    /** Each of these. */
    record All(List<Condition> parts) implements Condition {
        public All {
            parts = List.copyOf(parts);
        }
    }

    /** At least one of these. */
    record Any(List<Condition> parts) implements Condition {
        public Any {
            parts = List.copyOf(parts);
        }
    }

    /** One that a database may write in a way of its own. */
    record About(Subject subject, Condition condition) implements Condition {}

    /** What conditions are about. */
    enum Subject {
        TIME,
        ADDRESS,
        OTHER,
        /** Addresses in a table of their own. */
        LOOKUP,
        /** The time beside the JSON of an event. */
        JSON
    }

    /** At least one of these, of which there is one or more. */
    static Condition any(List<Condition> parts) {
        return parts.size() == 1 ? parts.get(0) : new Any(parts);
    }

    /** Hands over all leaves, in their order. */
    default void leaves(Consumer<Leaf> taker) {
        if (this instanceof Leaf leaf) {
            taker.accept(leaf);
        } else if (this instanceof About about) {
            about.condition().leaves(taker);
        } else {
            for (Condition part : this instanceof All all ? all.parts() : ((Any) this).parts()) {
                part.leaves(taker);
            }
        }
    }

    /** Appends what the text of a statement depends on. */
    default void shape(StringBuilder text) {
        if (this instanceof Leaf leaf) {
            text.append(leaf.name()).append(' ');
        } else if (this instanceof About about) {
            text.append(about.subject().name()).append(' ');
            about.condition().shape(text);
        } else {
            text.append(this instanceof All ? '[' : '(');
            for (Condition part : this instanceof All all ? all.parts() : ((Any) this).parts()) {
                part.shape(text);
            }
            text.append(this instanceof All ? ']' : ')');
        }
    }
}
