package siemload.config.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        assertRefused(() -> OURS.makePrivate(below), "everybody may change what lies in " + open);
        assertRefused(() -> OURS.requireOwn(open), "everybody may change what lies in " + open);
        Files.setAttribute(open, "unix:mode", 01777);
        OURS.makePrivate(below);
        OURS.requireOwn(open);
    }

    @Test
    void aLinkOfTheUserLeadsWhereItLeads() throws IOException {
        Path other = Files.createDirectory(root.resolve("other disk"));
        Path link = Files.createSymbolicLink(root.resolve("cache"), other);
        assertThatCode(() -> OURS.makePrivate(link)).doesNotThrowAnyException();
        Files.setAttribute(other, "unix:mode", 0777);
        assertRefused(() -> OURS.makePrivate(link), other.toRealPath().toString());
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

    /** As in a container, whose users have numbers and often no names. Only root can become such a user. */
    @Test
    void aUserWithoutAnEntryOwnsWhatHeMakes() throws IOException, InterruptedException {
        Path setpriv = Path.of("/usr/bin/setpriv");
        assumeThat(owner(root) == 0 && Files.isExecutable(setpriv)).isTrue();
        Path classes = Files.createDirectories(root.resolve("siemload/config/directory"));
        try (Stream<Path> compiled = Files.list(Path.of("target/classes/siemload/config/directory"))) {
            for (Path file : compiled.toList()) {
                Files.copy(file, classes.resolve(file.getFileName()));
            }
        }
        Path program = Files.writeString(root.resolve("Making.java"), """
                class Making {
                    public static void main(String[] arguments) throws java.io.IOException {
                        siemload.config.directory.Ownership.ofThisUser()
                                .makePrivate(java.nio.file.Path.of(arguments[0], "made"));
                    }
                }
                """);
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path place = Files.createDirectory(root.resolve("place"));
        Files.setAttribute(place, "unix:uid", 54321);
        Process process = new ProcessBuilder(
                        setpriv.toString(),
                        "--reuid=54321",
                        "--clear-groups",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        root.toString(),
                        program.toString(),
                        place.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(owner(place.resolve("made"))).isEqualTo(54321);
    }

    private static void assertRefused(ThrowingCallable use, String... parts) {
        assertThatExceptionOfType(ForeignDirectoryException.class)
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
