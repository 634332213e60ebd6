package siemload.database.layout.document;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a database reads as JSON, and which objects it makes of it. Stateless and thread-safe. */
public interface JsonNotation {

    /** How it is called in messages. */
    String label();

    /** Which keys that begin with {@code $} a document may have, for messages. */
    String keysOfDocuments();

    /**
     * What a text is: an object of the kind of {@link #object}, a list or a value; never null.
     *
     * @param text JSON of one value, as far as Jackson knows
     * @throws BadTemplateException if it is none in this notation
     */
    Object parsed(String text);

    /** A new object without keys. */
    Map<String, Object> object();

    /** What {@link DocumentWriter#constant} is given for a value that is the same in all documents. */
    @Nullable
    Object constant(@Nullable Object json);
}
