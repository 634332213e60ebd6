package siemload.measure.environment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One mounted file system.
 *
 * @param device its numbers: {@code 254:0}
 * @param options of the mount, then those of the file system that it does not have
 */
record Mount(String device, Path point, String type, String source, String options) {

    /** What a directory lies on: the deepest mount above it, and the last one of those on the same point. */
    static Optional<Mount> of(SystemFiles files, Path real) {
        return files.lines("proc/self/mountinfo").stream()
                .map(Mount::parse)
                .flatMap(Optional::stream)
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

    /** A line of proc(5)'s mountinfo; fields from the seventh on are optional and end with a hyphen. */
    private static Optional<Mount> parse(String line) {
        String[] parts = line.split(" - ", 2);
        String[] own = parts[0].split(" ", -1);
        String[] system = parts.length < 2 ? new String[0] : parts[1].split(" ", -1);
        if (own.length < 6 || system.length < 3) {
            return Optional.empty();
        }
        return Optional.of(new Mount(
                own[2], Path.of(unescaped(own[4])), system[0], unescaped(system[1]), options(own[5], system[2])));
    }

    private static String options(String mount, String system) {
        List<String> known = List.of(mount.split(",", -1));
        StringBuilder all = new StringBuilder(mount);
        for (String option : system.split(",", -1)) {
            if (!known.contains(option)) {
                all.append(',').append(option);
            }
        }
        return all.toString();
    }

    private static String unescaped(String path) {
        return path.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
    }
}
