package siemload.config.directory;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Tells directories of a user from those of others. What others may have put into a directory is not executed, and nothing is
 * written where others may have put links. Immutable.
 *
 * @param user the number that the system has for the user
 */
public record Ownership(long user) {
    private static final int ROOT = 0;
    private static final int GROUP_MAY_WRITE = 0020;
    private static final int ALL_MAY_WRITE = 0002;
    /** In such a directory everybody may create files, but change only their own. */
    private static final int STICKY = 01000;

    /** A directory is not this user's alone, so that its contents cannot be trusted. The message says what can be done. */
    public static final class ForeignDirectory extends IOException {
        private static final long serialVersionUID = 1;

        private ForeignDirectory(String message) {
            super(message);
        }
    }

    /**
     * The owner of this process's files. Java takes a user without an entry in the system, as in containers, for root; /proc knows better,
     * but gives root for processes that nobody may look into.
     */
    public static Ownership ofThisUser() {
        Path process = Path.of("/proc/self/task");
        try {
            long uid = new UnixSystem().getUid();
            return new Ownership(
                    uid == ROOT && Files.exists(process) ? Entry.read(process).owner() : uid);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Makes a private directory, with its missing parents; or makes sure that an existing one is private.
     *
     * @throws ForeignDirectory if it is not
     * @throws IOException if it cannot be made
     */
    public void makePrivate(Path directory) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        requirePrivate(directory);
    }

    /**
     * Makes sure that a directory and its direct contents belong to the user, and that nobody else may write into it.
     *
     * @throws ForeignDirectory if that is not so
     */
    public void requirePrivate(Path directory) throws IOException {
        Path real = real(directory);
        Entry entry = requireOwner(real, user);
        if (entry.allows(GROUP_MAY_WRITE | ALL_MAY_WRITE)) {
            throw new ForeignDirectory("other users may write into " + entry
                    + ", so its contents cannot be trusted (delete it, or check them and run: chmod go-w " + real
                    + ")");
        }
        requireFixed(real);
        try (Stream<Path> files = Files.list(real)) {
            for (Path file : files.toList()) {
                requireOwner(file, user);
            }
        }
    }

    /**
     * Makes sure that a directory belongs to the user or to root, and that not everybody may change its contents.
     *
     * @throws ForeignDirectory if that is not so
     */
    public void requireOwn(Path directory) throws IOException {
        Path real = real(directory);
        requireOwner(real, ROOT);
        requireFixed(real.resolve("."));
    }

    /** The directory itself. A link to it must be the user's own: its owner decides where it leads. */
    private Path real(Path directory) throws IOException {
        if (Files.isSymbolicLink(directory)) {
            requireOwner(directory, ROOT);
        }
        return directory.toRealPath();
    }

    /** Reads an entry that must belong to the user, or to this other one. */
    private Entry requireOwner(Path path, long other) throws IOException {
        Entry entry = Entry.read(path);
        if (entry.owner() != user && entry.owner() != other) {
            throw new ForeignDirectory(path + " belongs to another user, "
                    + Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName() + " (uid " + entry.owner()
                    + "), and is neither used nor changed (choose a directory of your own)");
        }
        return entry;
    }

    /** Anybody who may change a parent directory may replace this one. */
    private static void requireFixed(Path directory) throws IOException {
        for (Path above = directory.getParent(); above != null; above = above.getParent()) {
            Entry entry = Entry.read(above);
            if (entry.allows(ALL_MAY_WRITE) && !entry.allows(STICKY)) {
                throw new ForeignDirectory("everybody may change files in " + entry
                        + ", including those of siemload (choose another directory, or run: chmod o-w "
                        + above + ")");
            }
        }
    }

    /** A file, a directory or a link itself. */
    private record Entry(Path path, long owner, int mode) {

        static Entry read(Path path) throws IOException {
            Map<String, Object> found = Files.readAttributes(path, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
            int owner = (Integer) Objects.requireNonNull(found.get("uid"));
            return new Entry(path, Integer.toUnsignedLong(owner), (Integer) Objects.requireNonNull(found.get("mode")));
        }

        /** Whether one of these rights is given. */
        boolean allows(int rights) {
            return (mode & rights) != 0;
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s (mode %04o)", path, mode & 07777);
        }
    }
}
