package siemload.database.provision;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.ServerAddress;
import siemload.database.TargetException;

/**
 * A container that outlives its run. Immutable.
 *
 * @param password the file that holds the password in its only line
 */
record KeptContainer(String name, ServerAddress address, Path password) {

    /**
     * Puts the password where its user finds it and nobody else does.
     *
     * @throws TargetException if the directory cannot be written
     */
    static KeptContainer of(String name, ServerAddress address, Path directory) {
        Path password = directory.toAbsolutePath().resolve(name + ".password");
        try {
            Ownership.ofThisUser().makePrivate(directory);
            Files.createFile(password, forItsOwner());
            Files.writeString(password, address.password() + "\n");
        } catch (IOException e) {
            throw new TargetException(
                    "the password of the container to be kept cannot be written: " + Reason.of(e)
                            + " (choose another directory" + " with -Dcache=DIR)",
                    e);
        }
        return new KeptContainer(name, address, password);
    }

    /** What its user must know. */
    String farewell() {
        return String.join(
                "\n",
                "the container " + name + " keeps running; use it with",
                "  SIEMLOAD_USER=" + address.user() + " SIEMLOAD_PASSWORD_FILE='" + password
                        + "' ./siemload run --url '" + address.url() + "'",
                "and remove it with",
                "  docker rm -f -v " + name + "; rm '" + password + "'");
    }

    private static FileAttribute<?>[] forItsOwner() {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
