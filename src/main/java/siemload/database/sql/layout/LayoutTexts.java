package siemload.database.sql.layout;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import siemload.config.Problems;
import siemload.database.LayoutFolder;
import siemload.database.layout.MissingFileException;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;

/** The files of statements of a layout with those of its base, by their names without the ending. Immutable and thread-safe. */
public final class LayoutTexts {
    /** Of the names of its files. */
    public static final String ENDING = ".sql";

    /** In siemload's own files it has a line of its own. */
    private static final Pattern BASE = Pattern.compile("(?m)^base: .*\\R");

    private final SortedMap<String, String> texts;
    /** Those without parts, or with their parts still in them. */
    private final Map<String, SqlStatement> statements = new HashMap<>();

    public LayoutTexts(Map<String, String> texts) {
        this.texts = Collections.unmodifiableSortedMap(new TreeMap<>(texts));
        this.texts.forEach((name, text) -> statements.put(name, SqlFiles.statement(text)));
    }

    /** Those of one of siemload's layouts with those of its base. */
    public static Map<String, String> builtIn(SqlFiles files, String folder, List<String> base) {
        Map<String, String> texts = new HashMap<>(ofFolder(files, folder));
        base.forEach(other -> ofFolder(files, other).forEach(texts::putIfAbsent));
        return texts;
    }

    /** Those of one folder of siemload's alone. */
    public static Map<String, String> ofFolder(SqlFiles files, String folder) {
        Map<String, String> texts = new HashMap<>();
        String any = folder.equals(LayoutReader.ROWS) ? "page.sql" : LayoutFolder.ABOUT;
        for (String file : files.beside(folder + "/" + any)) {
            if (file.endsWith(ENDING)) {
                texts.put(name(file), files.text(folder + "/" + file));
            }
        }
        return texts;
    }

    /**
     * Those of a layout of a user's own that it uses, in which searches alone have the expressions of their layout put in.
     *
     * @param files siemload's
     * @param hiding see {@link SearchFiles#filled}
     * @throws siemload.config.ConfigException with everything that is wrong with its files
     */
    public static LayoutTexts own(
            LayoutFolder folder,
            LayoutAbout<?> about,
            SqlFiles files,
            StatementRules rules,
            Set<String> hiding,
            Problems problems) {
        Map<String, String> texts = new HashMap<>();
        folder.files().forEach((file, text) -> {
            if (file.endsWith(ENDING)) {
                texts.put(name(file), text);
            }
        });
        about.base().forEach(base -> ofFolder(files, base).forEach(texts::putIfAbsent));
        rules.check(folder, texts, problems);
        problems.throwIfAny();
        Map<String, String> used = rules.used(texts);
        return new LayoutTexts(about.isForSearchesAlone() ? SearchFiles.filled(used, hiding) : used);
    }

    private static String name(String file) {
        return file.substring(0, file.length() - ENDING.length());
    }

    /**
     * All files, as a folder has them that needs no base.
     *
     * @param yaml what says what it is, as siemload has it
     */
    public SortedMap<String, String> copied(String yaml, StatementRules rules) {
        SortedMap<String, String> files = new TreeMap<>();
        files.put(LayoutFolder.ABOUT, BASE.matcher(yaml).replaceAll(""));
        rules.used(texts).forEach((name, text) -> files.put(name + ENDING, text));
        return files;
    }

    /** All of them. */
    public SortedMap<String, String> all() {
        return texts;
    }

    public boolean has(String name) {
        return texts.containsKey(name);
    }

    /** A file that has no parts, or whose parts do not matter. @throws MissingFileException without such a file */
    public SqlStatement read(String name) {
        SqlStatement statement = statements.get(name);
        if (statement == null) {
            throw new MissingFileException(name + ENDING);
        }
        return statement;
    }

    /** The same with its parts put in. */
    public SqlStatement read(String name, Map<String, String> parts) {
        return SqlFiles.statement(text(name), parts);
    }

    /** A file as it is. @throws MissingFileException without such a file */
    public String text(String name) {
        String text = texts.get(name);
        if (text == null) {
            throw new MissingFileException(name + ENDING);
        }
        return text;
    }

    /** The statements of a file that builds something; none where the layout does not have it. */
    public List<SqlFiles.Step> steps(String name) {
        return texts.containsKey(name) ? SqlFiles.steps(name + ENDING, text(name)) : List.of();
    }
}
