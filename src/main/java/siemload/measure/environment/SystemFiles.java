package siemload.measure.environment;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What Linux tells of itself in {@code /proc} and {@code /sys}. What is not there, as on other systems, or may not be read,
 * is left out. Immutable.
 *
 * @param root the directory that holds {@code proc} and {@code sys}
 */
record SystemFiles(Path root) {
    private static final int LARGEST_BYTES = 1 << 20;

    /**
     * The content of a file without blanks around it; empty if there is none to be read. It is read at one go: the files of
     * {@code /proc/sys} say that they are empty, and give what a first, small read does not take to nobody.
     */
    Optional<String> text(String file) {
        try (InputStream stream = Files.newInputStream(root.resolve(file))) {
            String text = new String(stream.readNBytes(LARGEST_BYTES), StandardCharsets.UTF_8);
            return Optional.of(text.strip()).filter(some -> !some.isEmpty());
        } catch (IOException | SecurityException notThere) {
            return Optional.empty();
        }
    }

    /** Puts the content of a file under a key, if there is one. */
    void put(Map<String, String> values, String key, String file) {
        text(file).ifPresent(text -> values.put(key, text.replaceAll("\\s+", " ")));
    }

    /** Puts the chosen one of a line such as {@code always [madvise] never}, which marks it by brackets. */
    void putChosen(Map<String, String> values, String key, String file) {
        text(file).ifPresent(text -> values.put(key, chosen(text)));
    }

    private static String chosen(String line) {
        int open = line.indexOf('[');
        int close = line.indexOf(']', open + 1);
        return open >= 0 && close > open ? line.substring(open + 1, close) : line;
    }

    /** The lines of a file; none if there is none. */
    List<String> lines(String file) {
        return text(file).map(text -> text.lines().toList()).orElse(List.of());
    }

    /** The names in a directory, sorted; none if there is none. */
    List<String> names(String directory) {
        try (Stream<Path> files = Files.list(root.resolve(directory))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        } catch (IOException | SecurityException notThere) {
            return List.of();
        }
    }

    /** One mounted file system; its source is mostly a device: {@code /dev/sda1}. */
    record Mount(String source, Path point, String type, String options) {

        /** What a directory lies on: the deepest mount above it, and the last one of those on the same point. */
        static Optional<Mount> of(SystemFiles files, Path real) {
            return files.lines("proc/self/mounts").stream()
                    .map(line -> line.split(" ", -1))
                    .filter(parts -> parts.length > 3)
                    .map(parts -> new Mount(unescaped(parts[0]), Path.of(unescaped(parts[1])), parts[2], parts[3]))
                    .filter(mount -> real.startsWith(mount.point))
                    .reduce((one, other) -> other.point.getNameCount() >= one.point.getNameCount() ? other : one);
        }

        /** The directory, or its nearest parent where it does not exist yet. */
        static Path real(Path directory) {
            for (Path place = directory.toAbsolutePath(); place != null; place = place.getParent()) {
                try {
                    return place.toRealPath();
                } catch (IOException notThere) {
                    // its parent is
                }
            }
            return directory;
        }

        private static String unescaped(String path) {
            return path.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
        }
    }
}
