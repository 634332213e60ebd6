package siemload.target.postgresql;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import siemload.target.TargetException;
import siemload.target.postgresql.ServerPrograms.Outcome;

/** The files of one embedded server, and the server that runs on them. */
final class DataDirectory {
    /** The only user of the server. */
    static final String USER = "postgres";

    private static final String LOG = "server.log";
    private static final String PROCESS = "postmaster.pid";
    private static final String SETTINGS = "siemload.conf";
    private static final String PATIENCE_SECONDS = "120";
    private static final int PASSWORD_BYTES = 16;

    private final Path directory;
    private final Path data;
    private final Path password;
    private final ServerPrograms programs;

    private DataDirectory(Path directory, String version, ServerPrograms programs) {
        this.directory = directory;
        this.data = directory.resolve("data-" + version);
        this.password = directory.resolve("password-" + version);
        this.programs = programs;
    }

    /** The data directory for the version of the programs; made if there is none. */
    static DataDirectory prepare(Path directory, ServerPrograms programs) throws IOException {
        Outcome version = programs.run("postgres", List.of("--version"));
        if (!version.succeeded()) {
            throw failed("run", directory, ServerLog.decisiveLine(version.output()));
        }
        String number = version.output().replaceAll("\\D*(\\d+).*", "$1").strip();
        DataDirectory prepared = new DataDirectory(directory, number, programs);
        if (!Files.isDirectory(prepared.data)) {
            prepared.initialize();
        }
        return prepared;
    }

    /** Where the server's data are. */
    Path path() {
        return data;
    }

    String password() throws IOException {
        return Files.readString(password);
    }

    /**
     * Starts the server and returns when it accepts connections.
     *
     * @param settings the text of its configuration file
     * @param arguments of the server program, which win over that
     */
    void start(String settings, List<String> arguments) throws IOException {
        Files.writeString(data.resolve(SETTINGS), settings);
        Files.deleteIfExists(directory.resolve(LOG));
        Outcome outcome = control("start", "-l", LOG, "-o", forShell(arguments));
        if (!outcome.succeeded()) {
            String log = Files.exists(directory.resolve(LOG)) ? log() : outcome.output();
            throw failed("start", directory, ServerLog.decisiveLine(log));
        }
    }

    /** The program that starts the server hands this to a shell. */
    private static String forShell(List<String> arguments) {
        return arguments.stream()
                .map(argument -> "'" + argument.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    /** What its log says was decisive, if the server has ended since its start; otherwise empty. */
    String causeOfEnd() throws IOException {
        return isRunning() ? "" : ServerLog.decisiveLine(log());
    }

    private String log() throws IOException {
        return Files.readString(directory.resolve(LOG), StandardCharsets.ISO_8859_1);
    }

    /** The number of the server's first process; empty if it does not run. */
    OptionalLong process() throws IOException {
        Path file = data.resolve(PROCESS);
        if (!Files.exists(file)) {
            return OptionalLong.empty();
        }
        String process = Files.readString(file).lines().findFirst().orElse("").strip();
        return process.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(process)) : OptionalLong.empty();
    }

    /** Stops the server: at once if it does not stop in good time. */
    void stop() throws IOException {
        Outcome outcome = control("stop", "-m", "fast");
        if (!outcome.succeeded() && isRunning()) {
            outcome = control("stop", "-m", "immediate");
        }
        if (!outcome.succeeded() && isRunning()) {
            throw failed("stop", directory, ServerLog.decisiveLine(outcome.output()));
        }
    }

    /** Stops the server that a killed run left behind. The caller holds the lock, so that it is nobody's. */
    void stopOrphan() throws IOException {
        if (!Files.exists(data.resolve(PROCESS))) {
            return;
        }
        OptionalLong process = process();
        if (process.isPresent() && isServer(process.getAsLong())) {
            stop();
        } else {
            // After a crash of the machine the number may belong to any process; the server would refuse to start.
            Files.delete(data.resolve(PROCESS));
        }
    }

    private static boolean isServer(long process) {
        return ProcessHandle.of(process)
                .flatMap(handle -> handle.info().command())
                .map(command -> Path.of(command).getFileName().toString())
                .filter(name -> name.equals("postgres") || name.equals("postgres.exe"))
                .isPresent();
    }

    private boolean isRunning() throws IOException {
        return control("status").succeeded();
    }

    private Outcome control(String action, String... more) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of(action, "-D", data.getFileName().toString()));
        if (!action.equals("status")) {
            arguments.addAll(List.of("-w", "-t", PATIENCE_SECONDS));
        }
        arguments.addAll(List.of(more));
        return programs.run("pg_ctl", arguments);
    }

    /** Under another name until it is complete, so that an interrupted attempt leaves no half of one. */
    private void initialize() throws IOException {
        writePassword();
        Path unfinished = directory.resolve("data-unfinished");
        ServerBinaries.delete(unfinished);
        Outcome outcome = programs.run(
                "initdb",
                List.of(
                        "--pgdata=" + unfinished.getFileName(),
                        "--username=" + USER,
                        "--auth=scram-sha-256",
                        "--pwfile=" + password.getFileName(),
                        "--encoding=UTF8",
                        "--locale=C",
                        "--no-instructions"));
        if (!outcome.succeeded()) {
            throw failed("initialize", directory, ServerLog.decisiveLine(outcome.output()));
        }
        Files.writeString(
                unfinished.resolve("postgresql.conf"), "\ninclude = '" + SETTINGS + "'\n", StandardOpenOption.APPEND);
        Files.move(unfinished, data, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Any user of the machine can reach the port, but only this one can read the password. */
    private void writePassword() throws IOException {
        Files.deleteIfExists(password);
        Files.createFile(password);
        if (Files.getFileAttributeView(password, PosixFileAttributeView.class) != null) {
            Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        }
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        Files.writeString(password, HexFormat.of().formatHex(random));
    }

    private static TargetException failed(String action, Path directory, String reason) {
        return new TargetException("cannot " + action + " the embedded PostgreSQL in " + directory + ": " + reason);
    }
}
