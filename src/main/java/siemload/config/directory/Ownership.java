package siemload.config.directory;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Distinguishes a user's directories from those of others. So siemload does not execute files that others may have put into a directory, or
 * write through links that others may have made. Immutable.
 *
 * @param user the user's id in the system
 */
public record Ownership(long user) {
    private static final int ROOT = 0;
    private static final int GROUP_MAY_WRITE = 0020;
    private static final int ALL_MAY_WRITE = 0002;
    /** The sticky bit: in such a directory, everybody may create files, but delete or rename only their own. */
    private static final int STICKY = 01000;

    /** Reports a directory that does not belong only to this user, so that its contents cannot be trusted; suggests a remedy. */
    public static final class ForeignDirectory extends IOException {
        private static final long serialVersionUID = 1;

        private ForeignDirectory(String message) {
            super(message);
        }
    }

    /**
     * Returns the owner of this process's files. Java reports root for a user without an entry in the system, as in containers. /proc has
     * the real user, but root for processes that nobody may inspect.
     */
    public static Ownership ofThisUser() {
        Path process = Path.of("/proc/self/task");
        try {
            long uid = new UnixSystem().getUid();
            return new Ownership(uid == ROOT && Files.exists(process) ? attribute(process, "uid") : uid);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Creates a private directory with its missing parents, or makes sure that an existing directory is private. A private directory and
     * its direct contents belong to the user, and nobody else may write into it.
     *
     * @throws ForeignDirectory if an existing directory is not private
     * @throws IOException if the directory cannot be created
     */
    public void makePrivate(Path directory) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path real = real(directory);
        requireOwner(real, user);
        if (allows(real, GROUP_MAY_WRITE | ALL_MAY_WRITE)) {
            throw new ForeignDirectory("other users may write into " + shown(real)
                    + ", so its contents cannot be trusted (delete it, or check its files and run: chmod go-w " + real
                    + ")");
        }
        requireFixed(real);
        try (Stream<Path> files = Files.list(real)) {
            for (Path file : files.toList()) {
                requireOwner(file, user);
            }
        }
    }

    /** Requires that a directory belongs to the user or root, and that not everybody may change it. @throws ForeignDirectory otherwise */
    public void requireOwn(Path directory) throws IOException {
        Path real = real(directory);
        requireOwner(real, ROOT);
        requireFixed(real.resolve("."));
    }

    /** Returns the directory itself. A link to a directory must belong to the user or to root, since its owner decides where it leads. */
    private Path real(Path directory) throws IOException {
        if (Files.isSymbolicLink(directory)) {
            requireOwner(directory, ROOT);
        }
        return directory.toRealPath();
    }

    /** Requires that a file, a directory or a link belongs to the user or to this other user. */
    private void requireOwner(Path path, long other) throws IOException {
        long owner = attribute(path, "uid");
        if (owner != user && owner != other) {
            throw new ForeignDirectory(path + " belongs to another user, "
                    + Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName() + " (uid " + owner
                    + "), and is neither used nor changed (choose a directory of your own)");
        }
    }

    /** Requires that not everybody may change a parent directory, and so replace this directory. */
    private static void requireFixed(Path directory) throws IOException {
        for (Path above = directory.getParent(); above != null; above = above.getParent()) {
            if (allows(above, ALL_MAY_WRITE) && !allows(above, STICKY)) {
                throw new ForeignDirectory("everybody may change files in " + shown(above)
                        + ", including those of siemload (choose another directory, or run: chmod o-w "
                        + above + ")");
            }
        }
    }

    /** Returns whether the mode of a file grants one of these rights. */
    private static boolean allows(Path path, int rights) throws IOException {
        return (attribute(path, "mode") & rights) != 0;
    }

    private static String shown(Path path) throws IOException {
        return String.format(Locale.ROOT, "%s (mode %04o)", path, attribute(path, "mode") & 07777);
    }

    /** Reads an attribute of a file; for a link, the attribute of the link itself. */
    private static long attribute(Path path, String name) throws IOException {
        return Integer.toUnsignedLong((Integer) Files.getAttribute(path, "unix:" + name, LinkOption.NOFOLLOW_LINKS));
    }
}
