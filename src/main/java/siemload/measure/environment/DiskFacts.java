package siemload.measure.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import siemload.measure.environment.SystemFiles.Mount;
import siemload.results.StorageResult.Disk;

/** Which disk a directory lies on. Stateless and thread-safe. */
public final class DiskFacts {
    private static final SystemFiles FILES = new SystemFiles(Path.of("/"));
    /** Whatever the device's own are. */
    private static final long BYTES_IN_SECTOR = 512;

    private DiskFacts() {}

    /** Of a directory that exists or is to be made. */
    public static Disk of(Path directory) {
        return of(FILES, directory);
    }

    static Disk of(SystemFiles files, Path directory) {
        Path real = Mount.real(directory);
        Optional<Mount> mount = Mount.of(files, real);
        String fileSystem = mount.map(Mount::type).orElseGet(() -> fileStoreType(real));
        String point = mount.map(one -> one.point().toString()).orElse("");
        String name = mount.flatMap(one -> device(files, one)).orElse("");
        if (name.isEmpty()) {
            return new Disk("", "", 0, fileSystem, point);
        }
        String block = "sys/block/" + name;
        long sectors = files.text(block + "/size")
                .filter(text -> text.matches("\\d{1,15}"))
                .map(Long::parseLong)
                .orElse(0L);
        String model = files.text(block + "/device/model").orElse("");
        return new Disk(name, model, sectors * BYTES_IN_SECTOR, fileSystem, point);
    }

    /** Some file systems, as btrfs, have numbers of their own instead of those of the device. */
    private static Optional<String> device(SystemFiles files, Mount mount) {
        return wholeDevice(files.root().resolve("sys/dev/block/" + mount.device()))
                .or(() -> mount.source().startsWith("/dev/") ? bySource(files, mount.source()) : Optional.empty());
    }

    private static Optional<String> bySource(SystemFiles files, String source) {
        try {
            Path device = files.root().resolve(source.substring(1)).toRealPath();
            return wholeDevice(files.root().resolve("sys/class/block").resolve(device.getFileName()));
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }

    /** The kernel shows a partition below its disk. */
    private static Optional<String> wholeDevice(Path inSystem) {
        try {
            Path real = inSystem.toRealPath();
            Optional<Path> whole = Optional.of(real);
            if (Files.exists(real.resolve("partition"))) {
                whole = Optional.ofNullable(real.getParent());
            }
            return whole.map(Path::getFileName).map(Path::toString);
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }

    private static String fileStoreType(Path directory) {
        try {
            return Files.getFileStore(directory).type();
        } catch (IOException unknown) {
            return "unknown";
        }
    }
}
