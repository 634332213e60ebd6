package siemload.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A YAML file that users name either without directory and ending, or by its path. Immutable.
 *
 * @param path of the file; a file given by its path may be missing, which is reported when it is read
 * @param name the file name without its ending
 * @param shownAs what the file is called in messages
 */
public record NamedFile(Path path, String name, String shownAs) {
    /** The ending that a file's name may leave out. */
    public static final String ENDING = ".yaml";

    /**
     * Finds the file with this name or path.
     *
     * @param home the directory that holds {@code directory}; paths are relative to the current directory or to {@code home}
     * @throws ConfigException if no file there has this name
     */
    public static NamedFile find(Path home, String directory, String wanted, Origin origin) {
        if (wanted.contains("/") || wanted.contains("\\") || wanted.endsWith(ENDING) || wanted.endsWith(".yml")) {
            Path path = Path.of(wanted);
            Path underHome = home.resolve(wanted);
            boolean isUnderHome = !Files.exists(path) && Files.exists(underHome);
            return new NamedFile(isUnderHome ? underHome : path, nameOf(path), wanted);
        }
        Map<String, Path> known = files(home, directory, 2);
        Path file = known.get(wanted);
        if (file == null) {
            String help = known.isEmpty()
                    ? "there are none in " + home.resolve(directory)
                    : Choices.names(List.copyOf(known.keySet())).help(wanted) + ", or the path of a YAML file";
            throw new ConfigException(origin, "'" + wanted + "' is unknown (" + help + ")");
        }
        return new NamedFile(home.resolve(file), wanted, file.toString());
    }

    /**
     * Returns the files of a directory under the home directory by their names, with paths from the home directory. Files of the directory
     * itself come first, then those of its folders, both sorted. No file is returned if the directory does not exist.
     *
     * @param depth 1 for the files of the directory only, 2 for those of its folders as well
     */
    public static Map<String, Path> files(Path home, String directory, int depth) {
        try (Stream<Path> found = Files.walk(home.resolve(directory), depth)) {
            Map<String, Path> files = new LinkedHashMap<>();
            found.filter(file -> file.toString().endsWith(ENDING))
                    .map(home::relativize)
                    .sorted(Comparator.comparing(Path::getNameCount)
                            .thenComparing(file -> file.toString().replace(ENDING, "")))
                    .forEach(file -> files.putIfAbsent(nameOf(file), file));
            return files;
        } catch (NoSuchFileException e) {
            return Map.of();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the files in " + home.resolve(directory), e);
        }
    }

    private static String nameOf(Path file) {
        return file.toAbsolutePath().getFileName().toString().replaceAll("\\.ya?ml$", "");
    }
}
