package siemload.database.sql;

import java.util.Map;
import siemload.database.ResourceFile;
import siemload.database.layout.Blocks;

/**
 * The statement files of one database. Immutable and thread-safe.
 *
 * @param folder where they are among the resources, with {@code /} at both ends
 */
public record SqlFiles(String folder) {
    private static final String ENDING = ".sql";

    /** Reads a statement that has no parts; its comments are left out. */
    public SqlStatement read(String file) {
        return SqlStatement.of(text(file));
    }

    /** The same with its parts put in. A part may hold values of its own. */
    public SqlStatement read(String file, Map<String, String> parts) {
        return SqlStatement.of(text(file), parts);
    }

    /** A file of another language, or a statement to be sent with the texts that it has, with its parts put in. */
    public String filled(String file, Map<String, String> parts) {
        return SqlStatement.part(text(file), parts);
    }

    /**
     * A file as it is.
     *
     * @param file of statements, the block of this name of the file that is called like the folder: {@code server/explain.sql} is
     *     {@code explain} of {@code server.sql}
     */
    public String text(String file) {
        int slash = file.lastIndexOf('/');
        if (slash < 0 || !file.endsWith(ENDING) || SqlFiles.class.getResource(folder + file) != null) {
            return ResourceFile.text(SqlFiles.class, folder + file);
        }
        return Blocks.ofResource(folder + file.substring(0, slash), Blocks.Syntax.SQL)
                .text(file.substring(slash + 1, file.length() - ENDING.length()));
    }
}
