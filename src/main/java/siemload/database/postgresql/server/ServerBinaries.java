package siemload.database.postgresql.server;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.Ownership;
import siemload.database.TargetException;

/** The PostgreSQL programs on the class path, unpacked once beside the data. */
final class ServerBinaries {
    private static final int ANYONE_MAY_EXECUTE = 0111;

    private ServerBinaries() {}

    /**
     * The directory that holds {@code bin}, {@code lib} and {@code share}; the caller holds the lock. Programs that are not as
     * they were unpacked are not run, but unpacked anew.
     *
     * @param notes hears of that
     */
    static Path unpack(Path directory, Consumer<String> notes) throws IOException {
        byte[] archive = archive();
        CRC32 checksum = new CRC32();
        checksum.update(archive);
        Path unpacked = directory.resolve(String.format(Locale.ROOT, "programs-%08x", checksum.getValue()));
        if (Files.isDirectory(unpacked)) {
            Ownership.ofThisUser().requirePrivate(unpacked);
            Optional<String> difference = ProgramManifest.difference(unpacked);
            if (difference.isEmpty()) {
                return unpacked;
            }
            notes.accept(unpacked.resolve(difference.orElseThrow())
                    + " is not as it was unpacked (the disk, a clean-up, or somebody changed it); all programs were unpacked"
                    + " anew");
        }
        Path unfinished = directory.resolve("programs-unfinished");
        DirectoryTree.delete(unfinished);
        unpack(archive, unfinished);
        ProgramManifest.write(unfinished);
        DirectoryTree.delete(unpacked);
        Files.move(unfinished, unpacked, StandardCopyOption.ATOMIC_MOVE);
        return unpacked;
    }

    private static byte[] archive() throws IOException {
        OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
        String system = machine.getName();
        String family = system.startsWith("Windows") ? "Windows" : system.startsWith("Mac") ? "Darwin" : system;
        String hardware = machine.getArch().replace("amd64", "x86_64");
        try (InputStream stream = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(family, hardware)) {
            return stream.readAllBytes();
        } catch (IllegalStateException e) {
            throw new TargetException(
                    "there is no embedded PostgreSQL for " + system + " on " + hardware
                            + "; install PostgreSQL, and name it with the property url",
                    e);
        }
    }

    private static void unpack(byte[] archive, Path directory) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = directory.resolve(entry.getName()).normalize();
                if (!path.startsWith(directory)) {
                    throw new IOException("the archive of PostgreSQL holds a path outside of it: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                } else {
                    Files.createDirectories(path.resolveSibling("."));
                    unpack(tar, entry, path);
                }
            }
        }
    }

    private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path path) throws IOException {
        if (entry.isSymbolicLink() || entry.isLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(tar, path);
        if ((entry.getMode() & ANYONE_MAY_EXECUTE) != 0 && !path.toFile().setExecutable(true, false)) {
            throw new IOException("cannot make " + path + " executable");
        }
    }
}
