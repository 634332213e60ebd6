package siemload.measure.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
        Map<String, String> values = new TreeMap<>();
        directories.forEach((use, directory) -> {
            Path real = Mount.real(directory);
            Mount.of(files, real)
                    .ifPresentOrElse(found -> mounted(files, use, found, values), () -> fileStore(use, real, values));
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
}
