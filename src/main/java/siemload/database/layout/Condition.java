package siemload.database.layout;

import java.util.ArrayList;
import java.util.List;

/** What events must meet, as a tree whose leaves are blocks of a layout. Immutable. */
public sealed interface Condition {
    /**
     * A block.
     *
     * @param name of it, without {@link SearchConditions#PREFIX}
     * @param of what its values are taken from: a window, a key, a criterion, or a part of one
     */
    record Leaf(String name, Object of) implements Condition {}

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

    /** How a database writes conditions. */
    interface Notation<T> {
        /** A block; those of a condition come in their order. */
        T leaf(Leaf leaf);

        /**
         * All of these.
         *
         * @param parts the conditions as they are written
         */
        T all(List<Condition> conditions, List<T> parts);

        /**
         * At least one of these.
         *
         * @param parts the conditions as they are written
         */
        T any(List<Condition> conditions, List<T> parts);

        /** What is about a subject. */
        default T about(Subject subject, T condition) {
            return condition;
        }
    }

    /** At least one of these, of which there is one or more. */
    static Condition any(List<Condition> parts) {
        return parts.size() == 1 ? parts.get(0) : new Any(parts);
    }

    /** The condition in a notation. */
    default <T> T written(Notation<T> notation) {
        if (this instanceof Leaf leaf) {
            return notation.leaf(leaf);
        } else if (this instanceof About about) {
            return notation.about(about.subject(), about.condition().written(notation));
        } else if (this instanceof All all) {
            return notation.all(all.parts(), written(all.parts(), notation));
        }
        List<Condition> parts = ((Any) this).parts();
        return notation.any(parts, written(parts, notation));
    }

    /** Several conditions in a notation. */
    static <T> List<T> written(List<Condition> conditions, Notation<T> notation) {
        List<T> written = new ArrayList<>(conditions.size());
        for (Condition condition : conditions) {
            written.add(condition.written(notation));
        }
        return written;
    }

    /** Adds what its text depends on, and all leaves, in their order. */
    default void shape(List<Object> shape, List<Leaf> leaves) {
        if (this instanceof Leaf leaf) {
            shape.add(leaf.name());
            leaves.add(leaf);
        } else if (this instanceof About about) {
            shape.add(about.subject());
            about.condition().shape(shape, leaves);
        } else {
            shape.add(this instanceof All ? '[' : '(');
            for (Condition part : this instanceof All all ? all.parts() : ((Any) this).parts()) {
                part.shape(shape, leaves);
            }
            shape.add(')');
        }
    }
}
