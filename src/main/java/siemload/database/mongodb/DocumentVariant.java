package siemload.database.mongodb;

import java.util.Optional;
import org.bson.Document;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.SearchException;
import siemload.database.Variant;
import siemload.database.layout.Blocks.MissingBlockException;
import siemload.query.PageClass;
import siemload.query.Search;

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

    /** What finds all events of a search. */
    Document filter(Search search) {
        DocumentConditions conditions = new DocumentConditions(this);
        return conditions.document(conditions.all(search));
    }

    /** The block that the layout lacks to be asked such a search in this way; empty if it lacks none. */
    Optional<String> missingBlock(Search search, PageClass page) {
        try {
            switch (page) {
                case COUNT -> filter(search);
                case SUMMARY -> search.summary().ifPresent(summary -> SummaryPipeline.of(search, summary, this));
                case FIRST, DEEPER, WHOLE, STATEMENT -> EventQuery.of(search, this);
                case LAST -> EventQuery.of(search, this).turned(layout);
            }
            return Optional.empty();
        } catch (MissingBlockException missing) {
            return Optional.of(missing.block());
        } catch (SearchException told) {
            // Its value is one that cannot be asked for: that is told of the search when it is asked.
            return Optional.empty();
        }
    }
}
