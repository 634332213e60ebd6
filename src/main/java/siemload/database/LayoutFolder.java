package siemload.database;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.RegularFile;
import siemload.config.Sha256;

/**
 * The folder of a user's layout, with its contents at the time of reading. Only the target interprets the files. Immutable.
 *
 * @param name the name of the folder
 * @param shownAs the name of the folder in messages
 * @param files the text of {@link #ABOUT} and of the file with its blocks, {@code statements.sql} or {@code .json}, by file name
 */
public record LayoutFolder(String name, String shownAs, SortedMap<String, String> files) {
    /** The file in each folder that describes the layout. */
    public static final String ABOUT = "layout.yaml";

    private static final int MOST_BYTES = 1_000_000;
    /** Names of layouts that fit into the comments of databases and the tables of results. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,39}");

    public LayoutFolder {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    /** Returns whether a layout is given as a folder: by a path, or by the name of an existing directory. */
    public static boolean isMeant(String layout) {
        return layout.contains("/") || layout.contains(File.separator) || new File(layout).isDirectory();
    }

    /**
     * Reads {@code layout.yaml} and the file with the blocks, if it exists. Beside them, other files are ignored; without a file of blocks,
     * a folder with other files of statements is refused.
     *
     * @param origin where the name comes from
     * @param plugin the target of the layout
     * @throws ConfigException if a file cannot be read
     */
    public static LayoutFolder read(String folder, Origin origin, TargetPlugin plugin) {
        if (!new File(folder, ABOUT).exists()) {
            throw new ConfigException(
                    origin,
                    "there is no directory '" + folder + "' with a file " + ABOUT
                            + " (needed: the folder of a layout of your own, relative to the current"
                            + " directory; ./siemload check-layout --target " + plugin.id() + " --copy "
                            + plugin.abilities().layouts().get(0) + " " + folder + " creates a folder to start from)");
        }
        Path path = Path.of(folder);
        String name = String.valueOf(path.toAbsolutePath().normalize().getFileName());
        if (!NAME.matcher(name).matches()) {
            throw new ConfigException(
                    origin,
                    "the folder '" + name
                            + "' has a name that no layout may have (allowed: up to 40 letters, digits, '-', '_'"
                            + " and '.', a letter or a digit first; rename it)");
        }
        SortedMap<String, String> files = new TreeMap<>();
        for (String file : List.of(ABOUT, "statements.sql", "statements.json")) {
            if (Files.exists(path.resolve(file))) {
                files.put(file, RegularFile.text(path.resolve(file), shown(folder, file), MOST_BYTES));
            }
        }
        List<String> unread = Stream.of(Objects.requireNonNullElse(path.toFile().list(), new String[0]))
                .filter(file -> files.size() == 1 && file.endsWith(".sql"))
                .sorted()
                .toList();
        if (!unread.isEmpty()) {
            String first = unread.get(0);
            throw new ConfigException(
                    new Origin.WholeFile(shown(folder, first)),
                    "siemload reads only " + ABOUT + " and statements.sql of a layout (copy "
                            + String.join(", ", unread)
                            + " into statements.sql, each below a line with its name: '-- name: "
                            + first.substring(0, first.length() - ".sql".length()) + "')");
        }
        return new LayoutFolder(name, folder, files);
    }

    private static String shown(String folder, String file) {
        return folder.endsWith("/") ? folder + file : folder + "/" + file;
    }

    /** Returns the name by which messages call a file of this folder. */
    public String shown(String file) {
        return shown(shownAs, file);
    }

    /** The layout's name in results and stored data: {@code mine@1f0c52a9b3d4e6f7}, which changes as soon as a file is edited. */
    public String label() {
        StringBuilder all = new StringBuilder(10_000);
        files.forEach((file, text) ->
                all.append(file).append('\n').append(text.length()).append('\n').append(text));
        return name + "@" + Sha256.fingerprint(all.toString());
    }

    @Override
    public String toString() {
        return label();
    }
}
