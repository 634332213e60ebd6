package siemload.database.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** How processes of one machine find each other. */
@EnabledOnOs(OS.LINUX)
final class HolderTest {
    private static final long SELF = ProcessHandle.current().pid();

    @Test
    void aProcessIsFoundByWhatItHasWrittenOfItself() {
        String text = Holder.ofThisProcess().text();

        assertThat(Holder.numbersHere(List.of(text, text))).containsExactly(SELF);
        assertThat(Holder.numbersHere(List.of("?" + text.substring(text.indexOf(' ')))))
                .as("nobody knows of which machine")
                .isEmpty();
        assertThat(Holder.numbersHere(List.of("another-start" + text.substring(text.indexOf('/')))))
                .isEmpty();
        assertThat(Holder.numbersHere(List.of(text + "1"))).as("it began later").isEmpty();
        assertThat(Holder.numbersHere(List.of("nonsense"))).isEmpty();
    }

    /** As a pod has one, in which its program is number 1. */
    @Test
    void aProcessInASpaceOfItsOwnIsFoundByTheNumberThatItHasHere() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/unshare")), "no program makes a space for processes here");
        Process space = new ProcessBuilder(
                        "/usr/bin/unshare",
                        "--map-root-user",
                        "--pid",
                        "--fork",
                        "--mount-proc",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Speaking.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader output = space.inputReader()) {
            String text = output.readLine();
            assumeTrue(text != null, "no space for processes can be made here");
            assertThat(text).contains(" 1 ");
            assertThat(Holder.numbersHere(List.of(text)))
                    .hasSize(1)
                    .hasSameElementsAs(space.children().map(ProcessHandle::pid).toList());
        } finally {
            space.children().forEach(ProcessHandle::destroyForcibly);
            space.destroyForcibly();
        }
    }

    /** Says who it is, and waits until it is ended. */
    static final class Speaking {
        public static void main(String[] arguments) throws IOException {
            System.out.println(Holder.ofThisProcess().text());
            int unused = System.in.read();
        }
    }
}
