package siemload.database.layout.document;

import java.util.Optional;
import java.util.Set;
import siemload.database.layout.FolderFiles;

/** What a database says of the files of its layouts. Stateless. */
public interface FileRules {

    /**
     * Looks at the document of an event.
     *
     * @throws BadTemplateException if the database cannot store it so
     */
    void checkDocument(JsonTemplate document);

    /** Names that may stand in a file beside those of the file that it is like. */
    Set<String> furtherNames(String file);

    /** Why a key that begins with {@code $} may not stand in any file but the document; empty if it may. */
    Optional<String> refusal(String operator);

    /**
     * Notes whatever is wrong with the shape of a file.
     *
     * @param json an object, a list, a value, or a {@link JsonTemplate.Value}
     */
    void checkShape(FolderFiles files, String file, Object json);
}
