package siemload.run;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Who may read what this process writes from now on. Results hold the values that were searched for, which are personal data
 * in real recordings, so that nobody but the user may. It is the process's mask for new files,
 * which also holds for what Gatling and the processes that it starts write. Systems without one are left as they are.
 * Thread-safe.
 */
public final class NewFiles {
    private static final int OF_THE_OWNER = 0077;

    private NewFiles() {}

    /** Functions of the C library. */
    private static final class SystemCalls {
        static {
            Native.register(SystemCalls.class, "c");
        }

        static native int umask(int mask);
    }

    /** Makes them the user's alone. */
    public static void protect() {
        if (!isPosix()) {
            return;
        }
        try {
            SystemCalls.umask(OF_THE_OWNER);
        } catch (LinkageError unloadable) {
            // Directories of results have their own permissions, which keep everybody out of what lies in them.
        }
    }

    /** Makes a directory of results. @throws IOException if it is there already, or cannot be made */
    static Path createDirectory(Path directory) throws IOException {
        if (!isPosix()) {
            return Files.createDirectory(directory);
        }
        FileAttribute<Set<PosixFilePermission>> owner =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        return Files.createDirectory(directory, owner);
    }

    private static boolean isPosix() {
        return Path.of("").getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
