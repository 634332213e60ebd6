package siemload.database.sql;

import java.util.Map;
import java.util.regex.Pattern;
import siemload.database.ResourceFile;

/**
 * The statement files of one database. Immutable and thread-safe.
 *
 * @param owner a class of the database, whose class loader has the files
 * @param folder where they are, from the package of the owner or, with a slash before it, from the root; ends with a slash
 *     unless it is empty
 */
public record SqlFiles(Class<?> owner, String folder) {
    private static final Pattern COMMENT_LINE = Pattern.compile("(?m)^--.*\\R?");

    /** Those in the package of the class. */
    public SqlFiles(Class<?> owner) {
        this(owner, "");
    }

    /** Reads a file that has no parts; its comments are left out. */
    public SqlStatement read(String file) {
        return SqlStatement.of(COMMENT_LINE.matcher(text(file)).replaceAll("").strip());
    }

    /** Reads a file and puts its parts in. A part may hold values of its own. */
    public SqlStatement read(String file, Map<String, String> parts) {
        return SqlStatement.of(SqlStatement.with(
                COMMENT_LINE.matcher(text(file)).replaceAll("").strip(), parts));
    }

    /** A file of another language, with its parts put in. */
    public String filled(String file, Map<String, String> parts) {
        return SqlStatement.with(text(file), parts);
    }

    /** Whether there is such a file. */
    public boolean has(String file) {
        return owner.getResource(folder + file) != null;
    }

    /** A file as it is. */
    public String text(String file) {
        return ResourceFile.text(owner, folder + file);
    }
}
