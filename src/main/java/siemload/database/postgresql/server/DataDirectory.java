package siemload.database.postgresql.server;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;
import static siemload.database.postgresql.connection.PostgresqlConnections.POWERLESS;

import com.sun.security.auth.module.UnixSystem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.Reason;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.server.ServerPrograms.Outcome;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlStatement;

/** The files of one embedded server, and the server that runs on them. */
final class DataDirectory {
    /** The only user of the server. */
    static final String USER = "postgres";

    private static final String LOG = "server.log";
    private static final String PROCESS = "postmaster.pid";
    private static final String SETTINGS = "siemload.conf";
    private static final String START_SECONDS = "120";
    private static final String MOMENT_SECONDS = "5";
    private static final String PATIENCE_SECONDS = "55";
    private static final Duration LOGIN = Duration.ofSeconds(30);

    /**
     * How often the password is hashed, by each client at each connection: that slows down who guesses passwords, and is most of
     * the processor time of connecting. A random password cannot be guessed.
     */
    private static final String ITERATIONS = "scram_iterations";

    private static final int PASSWORD_BYTES = 16;
    private static final Pattern PASSWORD = Pattern.compile("[0-9a-f]{32}");

    private final Path directory;
    private final Path data;
    private final Path password;
    private final ServerPrograms programs;
    private Optional<ServerGuard> guard = Optional.empty();

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

    /** @throws TargetException if it cannot be had, so that the data are of no use */
    String password() {
        String text;
        try {
            text = Files.readString(password);
        } catch (IOException unreadable) {
            // Without a colon behind the name of the file, or what follows would be taken for the password and masked.
            String reason = Reason.of(unreadable).replace(password + ": ", "");
            throw unusable("the embedded server's password cannot be read from " + password + ", since " + reason);
        }
        if (!PASSWORD.matcher(text).matches()) {
            throw unusable(password + " does not hold the password of the embedded server any more");
        }
        return text;
    }

    /** @throws TargetException if the running server does not take the password, which is that of another directory then */
    void requireLogin(ServerAddress address) {
        try {
            access(address).opening().open().close();
        } catch (SQLException refused) {
            throw PostgresqlErrors.isWrongPassword(refused)
                    ? unusable(password + " holds another password than that of the embedded server")
                    : PostgresqlErrors.INSTANCE.outsideRun("cannot log in to the embedded PostgreSQL", refused);
        }
    }

    /** Makes the extension known that tells how long the server worked on each statement. */
    void furnish(ServerAddress address) {
        access(address).run("create pg_stat_statements", FILES.read("server/create-statement-times.sql")::execute);
        makePowerless(address);
    }

    /** Makes the user who executes the statements of files, unless it is there: the server's own user may do anything. */
    static void makePowerless(ServerAddress address) {
        access(address).run("make the user " + POWERLESS, connection -> {
            for (String statement : FILES.read("server/create-role.sql")
                    .rows(connection, row -> row.getString(1), POWERLESS, address.password(), POWERLESS)) {
                SqlStatement.execute(connection, statement);
            }
        });
    }

    private static SqlAccess access(ServerAddress address) {
        return new PostgresqlConnections(address, LOGIN, LOGIN, List.of(), "").quick();
    }

    private TargetException unusable(String reason) {
        return new TargetException(reason + " (delete " + data + ": it is made anew, and data sets are loaded again)");
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
        ServerGuard started = ServerGuard.start(
                programs, name(), controlArguments("start", "-t", START_SECONDS, "-l", LOG, "-o", forShell(arguments)));
        guard = Optional.of(started);
        Outcome outcome = started.outcome();
        if (!outcome.succeeded()) {
            String log = Files.exists(directory.resolve(LOG)) ? log() : outcome.output();
            if (isRunning()) {
                control("stop", "-m", "immediate", "-t", MOMENT_SECONDS);
            }
            String ifDamaged = "; if its files are damaged, delete " + data
                    + ": they are made anew, and data sets are loaded again";
            throw failed("start", directory, ServerLog.decisiveLine(log, ifDamaged));
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

    /**
     * The number of the server's first process; empty if it does not run. What the file says alone is not enough, since the
     * system gives the number of a process that has ended to another one.
     */
    OptionalLong process() throws IOException {
        ServerProcess process = ServerProcess.namedIn(data);
        return process.whose == ServerProcess.Whose.OF_THE_DIRECTORY
                ? OptionalLong.of(Long.parseLong(process.number))
                : OptionalLong.empty();
    }

    /**
     * Stops the server: at once if it does not stop in good time, or cannot write its last checkpoint.
     *
     * @param notes hears why it was stopped at once
     */
    void stop(Consumer<String> notes) throws IOException {
        Outcome outcome = control("stop", "-m", "fast", "-t", MOMENT_SECONDS);
        if (!outcome.succeeded() && isRunning() && !diskIsFull()) {
            outcome = control("stop", "-m", "fast", "-t", PATIENCE_SECONDS);
        }
        if (!outcome.succeeded() && isRunning()) {
            notes.accept("the embedded server did not stop in time (" + ServerLog.decisiveLine(log())
                    + ") and was stopped at once; it repairs its files at its next start");
            outcome = control("stop", "-m", "immediate", "-t", PATIENCE_SECONDS);
        }
        if (!outcome.succeeded() && isRunning()) {
            throw failed("stop", directory, ServerLog.decisiveLine(outcome.output()));
        }
        guard.ifPresent(ServerGuard::release);
        guard = Optional.empty();
    }

    private boolean diskIsFull() throws IOException {
        return log().contains("No space left on device");
    }

    /**
     * Stops the server that a killed run left behind. The caller holds the lock, so that it is nobody's; a server of another
     * directory is left alone.
     *
     * @param notes hears of both
     */
    void stopOrphan(Consumer<String> notes) throws IOException {
        ServerProcess process = ServerProcess.namedIn(data);
        switch (process.whose) {
            case OF_THE_DIRECTORY -> {
                stop(notes);
                notes.accept("stopped the server that a killed run had left in " + data);
            }
            case OF_ANOTHER -> {
                Files.delete(data.resolve(PROCESS));
                notes.accept(data.resolve(PROCESS) + " named process " + process.number
                        + ", which is not the server of this directory and was left alone (the directory was copied, or the"
                        + " machine restarted, while a server ran in it)");
            }
            case NO_SERVER ->
                // After a crash of the machine the number may belong to any process; the server would refuse to start.
                Files.deleteIfExists(data.resolve(PROCESS));
        }
    }

    private boolean isRunning() throws IOException {
        return control("status").succeeded();
    }

    private String name() {
        return data.getFileName().toString();
    }

    private Outcome control(String action, String... more) throws IOException {
        return programs.run("pg_ctl", controlArguments(action, more));
    }

    private List<String> controlArguments(String action, String... more) {
        List<String> arguments = new ArrayList<>(List.of(action, "-D", name()));
        if (!action.equals("status")) {
            arguments.addAll(List.of("-w"));
        }
        arguments.addAll(List.of(more));
        return arguments;
    }

    /** Under another name until it is complete, so that an interrupted attempt leaves no half of one. */
    private void initialize() throws IOException {
        writePassword();
        Path unfinished = directory.resolve("data-unfinished");
        DirectoryTree.delete(unfinished);
        Outcome outcome = programs.run(
                "initdb",
                List.of(
                        "--pgdata=" + unfinished.getFileName(),
                        "--username=" + USER,
                        "--auth=scram-sha-256",
                        "--pwfile=" + password.getFileName(),
                        "--encoding=UTF8",
                        "--locale=C",
                        "--set=" + ITERATIONS + "=1",
                        "--no-instructions"));
        if (!outcome.succeeded()) {
            throw failed("initialize", directory, ServerLog.decisiveLine(outcome.output()));
        }
        Path configuration = unfinished.resolve("postgresql.conf");
        String withoutIterations = Files.readString(configuration).replaceAll("(?m)^" + ITERATIONS + ".*", "");
        Files.writeString(configuration, withoutIterations + "\ninclude = '" + SETTINGS + "'\n");
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

    /**
     * A shell that starts the server and stays beside it: where this process is gone without having stopped the server, killed for
     * instance, the shell ends it within a moment. It knows by the end of its input, which this process alone holds.
     */
    private record ServerGuard(ServerPrograms.Outcome outcome, Optional<Process> shell) {
        private static final Path SHELL = Path.of("/bin/sh");
        /** Puts the shell out of reach of what kills a whole group of processes; not every system has it. */
        private static final Path SESSION = Path.of("/usr/bin/setsid");

        /**
         * Starts the server and returns when it accepts connections, or the start has failed. On a system without a shell nobody stays
         * beside it.
         *
         * @param data the name of the data directory in that of the programs
         * @param arguments of {@code pg_ctl}
         */
        static ServerGuard start(ServerPrograms programs, String data, List<String> arguments) throws IOException {
            if (!Files.isExecutable(SHELL)) {
                return new ServerGuard(programs.run("pg_ctl", arguments), Optional.empty());
            }
            List<String> command = new ArrayList<>();
            if (Files.isExecutable(SESSION)) {
                command.add(SESSION.toString());
            }
            command.addAll(List.of(SHELL.toString(), "-c", FILES.text("server/guard.sh"), "guard"));
            command.addAll(List.of(data, programs.output("pg_ctl")));
            command.addAll(programs.command("pg_ctl", arguments));
            Process shell = programs.builder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            BufferedReader codes = shell.inputReader(StandardCharsets.ISO_8859_1);
            String code = Optional.ofNullable(codes.readLine()).orElse("-1");
            ServerPrograms.Outcome outcome =
                    new ServerPrograms.Outcome(Integer.parseInt(code), programs.said("pg_ctl"));
            ServerGuard guard = new ServerGuard(outcome, Optional.of(shell));
            if (!outcome.succeeded()) {
                guard.release();
            }
            return guard;
        }

        /** Lets the shell go: the server has ended. Doing so twice is harmless. */
        void release() {
            shell.ifPresent(process -> {
                try (OutputStream input = process.getOutputStream()) {
                    input.write('\n');
                } catch (IOException hasEnded) {
                    // there is nothing that it could still do
                }
                process.onExit().join();
            });
        }
    }

    /** Finds in what a program of PostgreSQL said the line that says why it failed, and knows what can be done. */
    static final class ServerLog {
        /** The first kind that there is counts; without the time and the process number before it. */
        private static final List<Pattern> DECISIVE = Stream.of(
                        "PANIC:", "FATAL:", "ERROR:", "error:", "fatal:", "could not fork")
                .map(kind -> Pattern.compile(kind + ".*"))
                .toList();

        /** What can be done, by what was said; the first that fits. */
        private static final List<Map.Entry<String, String>> ADVICE = List.of(
                Map.entry("No space left on device", "free some disk space, or use another cache directory"),
                Map.entry(
                        "Cannot allocate memory",
                        "there is too little free memory: end other programs, or use your own server"),
                Map.entry(
                        "shared memory", "give the machine or container more shared memory (Docker: --shm-size=256m)"),
                Map.entry("cannot be run as root", "run as an ordinary user, or allow user namespaces (unshare -U)"),
                Map.entry("Address already in use", "the port was taken meanwhile: try again, or name another port"),
                Map.entry(
                        "Resource temporarily unavailable",
                        "this user may have no more processes: end some, or raise the limit (ulimit -u)"),
                Map.entry("wrong ownership", "the directory belongs to another user: use another cache directory"),
                Map.entry("user does not exist", "run as a user that the system knows by name"));

        private ServerLog() {}

        /** The decisive line in short, with advice where there is some. */
        static String decisiveLine(String output) {
            return decisiveLine(output, "");
        }

        /** The same with other advice where none is known. */
        static String decisiveLine(String output, String otherwise) {
            String line = DECISIVE.stream()
                    .flatMap(kind -> kind.matcher(output).results().limit(1).map(MatchResult::group))
                    .findFirst()
                    .or(() -> output.lines().filter(one -> !one.isBlank()).reduce((before, last) -> last))
                    .orElse("it said nothing");
            return line.strip()
                    + ADVICE.stream()
                            .filter(advice -> output.contains(advice.getKey()))
                            .map(advice -> "; " + advice.getValue())
                            .findFirst()
                            .orElse(otherwise);
        }
    }

    /**
     * Whose process it is that {@code postmaster.pid} of a data directory names. The file may have come with a copy of the
     * directory, or its process have ended and left its number to another one. A server works in its data directory; where the
     * system does not tell in which directory a process works, the file's own path and time are compared.
     */
    private record ServerProcess(String number, Whose whose) {
        private static final Path PROCESSES = Path.of("/proc");
        /** By which the file's time, in seconds, and that of the system differ at most. */
        private static final Duration TOLERANCE = Duration.ofSeconds(5);

        private enum Whose {
            /** It is the server of this data directory, and of this user. */
            OF_THE_DIRECTORY,
            /** A server of another data directory. */
            OF_ANOTHER,
            /** There is no such process, or it is no server. */
            NO_SERVER
        }

        static ServerProcess namedIn(Path data) throws IOException {
            Path file = data.resolve(PROCESS);
            // The number, the directory, the time of the start in seconds.
            List<String> lines = Files.exists(file)
                    ? Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
                            .map(String::strip)
                            .toList()
                    : List.of();
            Optional<ProcessHandle> server = lines.stream()
                    .limit(1)
                    .filter(number -> number.matches("\\d{1,18}"))
                    .flatMap(number -> ProcessHandle.of(Long.parseLong(number)).stream())
                    .filter(ServerProcess::isServer)
                    .findFirst();
            if (server.isEmpty()) {
                return new ServerProcess("", Whose.NO_SERVER);
            }
            boolean ofTheDirectory = Files.isDirectory(PROCESSES.resolve("self"))
                    ? worksIn(data, server.get())
                    : isNamed(data, lines, server.get());
            return new ServerProcess(lines.get(0), ofTheDirectory ? Whose.OF_THE_DIRECTORY : Whose.OF_ANOTHER);
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
                long owner = Integer.toUnsignedLong(
                        (Integer) Files.getAttribute(place, "unix:uid", LinkOption.NOFOLLOW_LINKS));
                return owner == new UnixSystem().getUid() && Files.isSameFile(place.resolve("cwd"), data);
            } catch (NoSuchFileException | AccessDeniedException endedOrOfAnotherUser) {
                return false;
            }
        }

        private static boolean isNamed(Path data, List<String> lines, ProcessHandle process) throws IOException {
            if (lines.size() < 3 || !lines.get(2).matches("\\d{1,18}")) {
                return false;
            }
            Path named = Path.of(lines.get(1));
            Instant noted = Instant.ofEpochSecond(Long.parseLong(lines.get(2)));
            return Files.isDirectory(named)
                    && Files.isSameFile(named, data)
                    && process.info()
                            .startInstant()
                            .filter(start ->
                                    Duration.between(start, noted).abs().compareTo(TOLERANCE) <= 0)
                            .isPresent();
        }
    }
}
