package siemload.database.postgresql.server;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Whose process it is that {@code postmaster.pid} of a data directory names. The file may have come with a copy of the
 * directory, or its process have ended and left its number to another one. A server works in its data directory; where the
 * system does not tell in which directory a process works, the file's own path and time are compared.
 */
final class ServerProcess {
    private static final Path PROCESSES = Path.of("/proc");
    /** By which the file's time, in seconds, and that of the system differ at most. */
    private static final Duration TOLERANCE = Duration.ofSeconds(5);

    private static final int LINES = 3;

    private ServerProcess() {}

    enum Whose {
        /** It is the server of this data directory, and of this user. */
        SERVER_OF_THE_DIRECTORY,
        /** A server of another data directory. */
        ANOTHER_SERVER,
        /** There is no such process, or it is no server. */
        NO_SERVER
    }

    /** @param lines of the file: the number, the directory, the time of the start in seconds */
    static Whose of(Path data, List<String> lines) throws IOException {
        String number = lines.isEmpty() ? "" : lines.get(0).strip();
        if (!number.matches("\\d{1,18}")) {
            return Whose.NO_SERVER;
        }
        ProcessHandle process = ProcessHandle.of(Long.parseLong(number)).orElse(null);
        if (process == null || !isServer(process)) {
            return Whose.NO_SERVER;
        }
        boolean ofTheDirectory =
                Files.isDirectory(PROCESSES.resolve("self")) ? worksIn(data, process) : isNamed(data, lines, process);
        return ofTheDirectory ? Whose.SERVER_OF_THE_DIRECTORY : Whose.ANOTHER_SERVER;
    }

    private static boolean isServer(ProcessHandle process) {
        return process.info()
                .command()
                .map(command -> Path.of(command).getFileName().toString())
                .filter(name -> name.equals("postgres") || name.equals("postgres.exe"))
                .isPresent();
    }

    private static boolean worksIn(Path data, ProcessHandle process) throws IOException {
        Path place = PROCESSES.resolve(Long.toString(process.pid()));
        try {
            long owner =
                    Integer.toUnsignedLong((Integer) Files.getAttribute(place, "unix:uid", LinkOption.NOFOLLOW_LINKS));
            return owner == new UnixSystem().getUid() && Files.isSameFile(place.resolve("cwd"), data);
        } catch (NoSuchFileException | AccessDeniedException endedOrOfAnotherUser) {
            return false;
        }
    }

    private static boolean isNamed(Path data, List<String> lines, ProcessHandle process) throws IOException {
        if (lines.size() < LINES || !lines.get(2).strip().matches("\\d{1,18}")) {
            return false;
        }
        Path named = Path.of(lines.get(1).strip());
        Instant noted = Instant.ofEpochSecond(Long.parseLong(lines.get(2).strip()));
        return Files.isDirectory(named)
                && Files.isSameFile(named, data)
                && process.info()
                        .startInstant()
                        .filter(start -> Duration.between(start, noted).abs().compareTo(TOLERANCE) <= 0)
                        .isPresent();
    }
}
