package siemload.database.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import siemload.database.ResourceFile;
import siemload.database.layout.Blocks;

/**
 * The statement files of one database. Immutable and thread-safe.
 *
 * @param owner a class of the database, whose class loader has the files
 * @param folder where they are, from the package of the owner or, with a slash before it, from the root; ends with a slash
 *     unless it is empty
 */
public record SqlFiles(Class<?> owner, String folder) {
    private static final String ENDING = ".sql";
    private static final Pattern COMMENT_LINE = Pattern.compile("(?m)^--.*\\R?");

    /** Those in the package of the class. */
    public SqlFiles(Class<?> owner) {
        this(owner, "");
    }

    /** Reads a file that has no parts; its comments are left out. */
    public SqlStatement read(String file) {
        return statement(text(file));
    }

    /** The same of a text that is read already. */
    public static SqlStatement statement(String text) {
        return SqlStatement.of(withoutComments(text));
    }

    /** Reads a file and puts its parts in. A part may hold values of its own. */
    public SqlStatement read(String file, Map<String, String> parts) {
        return statement(text(file), parts);
    }

    /** The same of a text that is read already. */
    public static SqlStatement statement(String text, Map<String, String> parts) {
        return SqlStatement.of(SqlStatement.with(withoutComments(text), parts));
    }

    /** A part of a statement of a text that is read already, with its own parts put in and without its comments. */
    public static String part(String text, Map<String, String> parts) {
        return SqlStatement.with(withoutComments(text), parts);
    }

    /** A text with those of its parts put in that are there. */
    public static String fill(String text, Map<String, String> parts) {
        StringBuilder filled = new StringBuilder(text);
        List<SqlStatement.Place> places = SqlStatement.places(text);
        for (int i = places.size() - 1; i >= 0; i--) {
            SqlStatement.Place place = places.get(i);
            String part = place.kind() == SqlStatement.Place.Kind.PART ? parts.get(place.name()) : null;
            if (part != null) {
                boolean quoted = place.written().startsWith(":\"");
                filled.replace(
                        place.offset(),
                        place.offset() + place.written().length(),
                        quoted ? SqlStatement.quoted(part) : part);
            }
        }
        return filled.toString();
    }

    private static String withoutComments(String text) {
        return COMMENT_LINE.matcher(text).replaceAll("").strip();
    }

    /** A file of another language, with its parts put in. */
    public String filled(String file, Map<String, String> parts) {
        return SqlStatement.with(text(file), parts);
    }

    /**
     * One statement of a file of several.
     *
     * @param name what it makes, for people: {@code index event_time}
     */
    public record Step(String name, String sql) {}

    /**
     * The statements of a text with its parts put in. Each has its name in the comment line before it; one without has that of
     * the file.
     */
    public static List<Step> steps(String file, String text, Map<String, String> parts) {
        return steps(file, SqlStatement.with(text, parts));
    }

    /** The same of a text without parts. */
    public static List<Step> steps(String file, String text) {
        List<Step> steps = new ArrayList<>();
        for (String part : text.split(";\\s*", -1)) {
            if (!part.isBlank()) {
                String[] lines = part.strip().split("\\R", 2);
                boolean named = lines[0].startsWith("-- ");
                steps.add(named ? new Step(lines[0].substring(3), lines[1]) : new Step(file, part.strip()));
            }
        }
        return steps;
    }

    /**
     * A file as it is.
     *
     * @param file of statements, the block of this name of the file that is called like the folder: {@code server/explain.sql} is
     *     {@code explain} of {@code server.sql}
     */
    public String text(String file) {
        int slash = file.lastIndexOf('/');
        if (slash < 0 || !file.endsWith(ENDING) || owner.getResource(folder + file) != null) {
            return ResourceFile.text(owner, folder + file);
        }
        String path = folder.isEmpty() ? "/" + owner.getPackageName().replace('.', '/') + "/" : folder;
        return Blocks.ofResource(path + file.substring(0, slash), Blocks.Syntax.SQL)
                .text(file.substring(slash + 1, file.length() - ENDING.length()));
    }
}
