package siemload.target.postgresql;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;
import siemload.target.TargetException;

/** The PostgreSQL programs on the class path, unpacked once beside the data. */
final class ServerBinaries {
    private static final int ANYONE_MAY_EXECUTE = 0111;

    private ServerBinaries() {}

    /** The directory that holds {@code bin}, {@code lib} and {@code share}; the caller holds the lock. */
    static Path unpack(Path directory) throws IOException {
        byte[] archive = archive();
        CRC32 checksum = new CRC32();
        checksum.update(archive);
        Path unpacked = directory.resolve(String.format(Locale.ROOT, "programs-%08x", checksum.getValue()));
        if (!Files.isDirectory(unpacked)) {
            Path unfinished = directory.resolve("programs-unfinished");
            delete(unfinished);
            unpack(archive, unfinished);
            Files.move(unfinished, unpacked, StandardCopyOption.ATOMIC_MOVE);
        }
        return unpacked;
    }

    /** Deletes a directory with all that is in it, if it exists. */
    static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path emptied, IOException failure) throws IOException {
                Files.delete(emptied);
                return FileVisitResult.CONTINUE;
            }
        });
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
