package siemload.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether the output goes to a terminal. Java's own answer ({@link System#console}) also asks about the input and is wrong
 * below Maven, which passes the output of its child on through a pipe; so the file descriptors are looked at where the
 * system shows them.
 */
final class TerminalDetection {
    private TerminalDetection() {}

    static boolean outputIsTerminal() {
        Optional<String> own = output("self");
        if (own.isEmpty()) {
            return consoleIsTerminal();
        }
        if (own.get().startsWith("pipe:")) {
            return ProcessHandle.current()
                    .parent()
                    .filter(TerminalDetection::isJava)
                    .flatMap(parent -> output(String.valueOf(parent.pid())))
                    .filter(TerminalDetection::isTerminal)
                    .isPresent();
        }
        return isTerminal(own.get());
    }

    /** Up to Java 21 there is a console only on a terminal; since then it must be asked, by a method new with 22. */
    @SuppressWarnings("SystemConsoleNull") // asked for just that reason
    private static boolean consoleIsTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException before22) {
            return true;
        } catch (ReflectiveOperationException unknown) {
            return false;
        }
    }

    private static boolean isTerminal(String output) {
        return output.startsWith("/dev/pts/") || output.startsWith("/dev/tty");
    }

    private static boolean isJava(ProcessHandle process) {
        return process.info().command().filter(path -> path.endsWith("java")).isPresent();
    }

    private static Optional<String> output(String process) {
        try {
            return Optional.of(
                    Files.readSymbolicLink(Path.of("/proc", process, "fd", "1")).toString());
        } catch (IOException | UnsupportedOperationException unknown) {
            return Optional.empty();
        }
    }
}
