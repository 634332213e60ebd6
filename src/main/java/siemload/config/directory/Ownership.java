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
    /** In such a directory everybody may make files, but only change his own. */
    private static final int STICKY = 01000;

    /** A directory is not this user's alone, so that what lies in it cannot be trusted. The message says what can be done. */
    public static final class ForeignDirectory extends IOException {
        private static final long serialVersionUID = 1;

        private ForeignDirectory(String message) {
            super(message);
        }
    }

    /**
     * What belongs to the user of this process. Java takes one whom the system has no entry for, as in containers, for root;
     * /proc knows better, but gives to root what is of a process that nobody may look into.
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
     * Makes a directory into which nobody else can look, and its parents where they are missing; or sees to it that the one
     * which is there is private.
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
     * Sees to it that a directory and what lies directly in it is the user's, and that nobody else may write into it.
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
     * Sees to it that a directory belongs to the user, or to the system's administrator, and that not everybody may change
     * what lies in it.
     *
     * @throws ForeignDirectory if that is not so
     */
    public void requireOwn(Path directory) throws IOException {
        Path real = real(directory);
        requireOwner(real, ROOT);
        requireFixed(real.resolve("."));
    }

    /** The directory itself. A link to it must be the user's own: whoever made it decides where it leads to. */
    private Path real(Path directory) throws IOException {
        if (Files.isSymbolicLink(directory)) {
            requireOwner(directory, ROOT);
        }
        return directory.toRealPath();
    }

    /** What belongs to the user, or to this other one. */
    private Entry requireOwner(Path path, long other) throws IOException {
        Entry entry = Entry.read(path);
        if (entry.owner() != user && entry.owner() != other) {
            throw new ForeignDirectory(path + " belongs to another user, "
                    + Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName() + " (uid " + entry.owner()
                    + "), and is neither used nor changed (choose a directory of your own)");
        }
        return entry;
    }

    /** Whoever may change a directory above may put another one in the place of this one. */
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
