package siemload.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A YAML file that people name without directory and ending, or by its path. Immutable.
 *
 * @param path where it is; whether a file given by its path is there shows when it is read
 * @param name the file name without its ending
 * @param shownAs what the file is called in messages
 */
public record NamedFile(Path path, String name, String shownAs) {
    /** Of the names of files that are named without it. */
    public static final String ENDING = ".yaml";

    /**
     * The file of this name or path.
     *
     * @param home the directory that holds {@code directory}; paths are relative to the current one or to it
     * @param origin who names it
     * @throws ConfigException if the name is not that of a file there
     */
    public static NamedFile find(Path home, String directory, String wanted, Origin origin) {
        if (wanted.contains("/") || wanted.contains("\\") || wanted.endsWith(ENDING) || wanted.endsWith(".yml")) {
            return at(home, wanted);
        }
        List<String> known = names(home, directory);
        if (!known.contains(wanted)) {
            String help = known.isEmpty()
                    ? "there are none in " + home.resolve(directory)
                    : Choices.names(known).help(wanted) + ", or the path of a YAML file";
            throw new ConfigException(origin, "'" + wanted + "' is unknown (" + help + ")");
        }
        String file = wanted + ENDING;
        return new NamedFile(home.resolve(directory).resolve(file), wanted, directory + "/" + file);
    }

    /** The names of the files in a directory under the home directory, sorted; none where it does not exist. */
    public static List<String> names(Path home, String directory) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(home.resolve(directory), "*" + ENDING)) {
            files.forEach(file -> names.add(nameOf(file)));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the files in " + home.resolve(directory), e);
        }
        return names.stream().sorted().toList();
    }

    private static NamedFile at(Path home, String wanted) {
        Path path = Path.of(wanted);
        Path underHome = home.resolve(wanted);
        return new NamedFile(!Files.exists(path) && Files.exists(underHome) ? underHome : path, nameOf(path), wanted);
    }

    private static String nameOf(Path file) {
        return file.toAbsolutePath().getFileName().toString().replaceAll("\\.ya?ml$", "");
    }
}
