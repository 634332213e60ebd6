package siemload.database.mongodb;

import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Variant;
import siemload.database.mongodb.layout.DocumentLayout;

/** How documents are searched: by which layout, with which indexes, and what the server is told. Immutable and thread-safe. */
record DocumentVariant(DocumentLayout layout, IndexSet indexes, Hint hint) {

    /**
     * That of a run; a layout of one's own is read here.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with its files
     */
    static DocumentVariant of(Variant variant) {
        return new DocumentVariant(DocumentLayout.of(variant), variant.indexes(), variant.hint());
    }

    /** The same with another hint. */
    DocumentVariant with(Hint other) {
        return new DocumentVariant(layout, indexes, other);
    }

    /** Whether there is an index of pairs of category and detector. */
    boolean hasPairs() {
        return layout.hasPairs(indexes);
    }
}
