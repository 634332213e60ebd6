package siemload.measure.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What lies under a directory: the file system, how it is mounted, and how the kernel serves its device. */
final class FilesystemFacts {
    private FilesystemFacts() {}

    /**
     * Of directories that exist, or are to be made.
     *
     * @param directories by what they are for: {@code data}, {@code results}
     */
    static Map<String, String> read(SystemFiles files, Map<String, Path> directories) {
        List<Mount> mounts = files.lines("proc/self/mountinfo").stream()
                .map(Mount::parse)
                .flatMap(Optional::stream)
                .toList();
        Map<String, String> values = new TreeMap<>();
        directories.forEach((use, directory) -> {
            Path real = real(directory.toAbsolutePath());
            Optional<Mount> mount = mounts.stream()
                    .filter(one -> real.startsWith(one.point()))
                    .max(Comparator.comparingInt(one -> one.point().getNameCount()));
            mount.ifPresentOrElse(found -> mounted(files, use, found, values), () -> fileStore(use, real, values));
        });
        return values;
    }

    private static void mounted(SystemFiles files, String use, Mount mount, Map<String, String> values) {
        values.put(use + ".fileSystem", mount.type());
        values.put(use + ".device", mount.source());
        values.put(use + ".mountPoint", mount.point().toString());
        values.put(use + ".mountOptions", mount.options());
        String device = "sys/dev/block/" + mount.device();
        // A partition has no queue of its own, but the disk has that it lies on.
        String queue = files.names(device + "/queue").isEmpty() ? device + "/../queue" : device + "/queue";
        files.putChosen(values, use + ".scheduler", queue + "/scheduler");
        files.put(values, use + ".readAheadKilobytes", queue + "/read_ahead_kb");
        files.put(values, use + ".queueDepth", queue + "/nr_requests");
    }

    /** Where the system has no list of mounts that we can read. */
    private static void fileStore(String use, Path directory, Map<String, String> values) {
        try {
            values.put(use + ".fileSystem", Files.getFileStore(directory).type());
            values.put(use + ".device", Files.getFileStore(directory).name());
        } catch (IOException unknown) {
            values.put(use + ".fileSystem", "unknown");
        }
    }

    /** The directory, or its nearest parent where it does not exist yet. */
    private static Path real(Path directory) {
        for (Path place = directory; place != null; place = place.getParent()) {
            try {
                return place.toRealPath();
            } catch (IOException notThere) {
                // its parent is
            }
        }
        return directory;
    }

    /**
     * One mounted file system.
     *
     * @param device its numbers: {@code 254:0}
     * @param options of the mount, then those of the file system that it does not have
     */
    private record Mount(String device, Path point, String type, String source, String options) {

        /** A line of proc(5)'s mountinfo; fields from the seventh on are optional and end with a hyphen. */
        static Optional<Mount> parse(String line) {
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
}
