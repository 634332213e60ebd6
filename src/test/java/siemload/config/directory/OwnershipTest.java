package siemload.config.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("every-java")
class OwnershipTest {
    private static final Ownership OURS = Ownership.ofThisUser();

    @TempDir
    private Path root = Path.of("");

    @Test
    void whatIsMadeIsForThisUserAlone() throws IOException {
        Path made = root.resolve("a/b");
        OURS.makePrivate(made);
        assertThat(permissions(made)).isEqualTo("rwx------");
        assertThat(permissions(made.getParent())).isEqualTo("rwx------");
        OURS.makePrivate(made);
    }

    @Test
    void directoriesOfOthersAreRefusedByTheirName() {
        Ownership somebodyElse = new Ownership(owner(root) + 1);
        assertRefused(() -> somebodyElse.makePrivate(root), root.toString(), "belongs to another user");
        if (owner(root) != 0) {
            assertRefused(() -> somebodyElse.requireOwn(root), "belongs to another user");
        }
    }

    @Test
    void aDirectoryIntoWhichOthersMayWriteIsRefusedWithWhatToDo() throws IOException {
        Path open = Files.createDirectory(root.resolve("open"));
        for (String permissions : new String[] {"rwxrwx---", "rwx----w-"}) {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString(permissions));
            assertRefused(() -> OURS.makePrivate(open), "other users may write", "chmod go-w " + open);
        }
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        OURS.makePrivate(open);
    }

    @Test
    void aDirectoryThatEverybodyMayReplaceIsRefused() throws IOException {
        Path open = Files.createDirectory(root.resolve("open"));
        Path below = Files.createDirectory(open.resolve("below"));
        Files.setAttribute(open, "unix:mode", 0777);
        assertRefused(() -> OURS.makePrivate(below), "everybody may change files in " + open);
        assertRefused(() -> OURS.requireOwn(open), "everybody may change files in " + open);
        Files.setAttribute(open, "unix:mode", 01777);
        OURS.makePrivate(below);
        OURS.requireOwn(open);
    }

    @Test
    void deletingFollowsNoLink() throws IOException {
        Path kept = Files.createDirectory(root.resolve("kept"));
        Path file = Files.writeString(kept.resolve("file"), "dear");
        Path tree = Files.createDirectories(root.resolve("tree/below")).getParent();
        Files.createSymbolicLink(tree.resolve("below/link"), kept);
        Files.createSymbolicLink(tree.resolve("dangling"), root.resolve("nowhere"));
        Path link = Files.createSymbolicLink(root.resolve("link"), kept);
        DirectoryTree.delete(tree);
        DirectoryTree.delete(link);
        DirectoryTree.delete(root.resolve("never was"));
        assertThat(tree).doesNotExist();
        assertThat(link).doesNotExist();
        assertThat(file).hasContent("dear");
    }

    private static void assertRefused(ThrowingCallable use, String... parts) {
        assertThatExceptionOfType(Ownership.ForeignDirectory.class)
                .isThrownBy(use)
                .satisfies(refused -> assertThat(refused.getMessage()).contains(parts));
    }

    private static long owner(Path path) {
        try {
            return ((Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS)).longValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
