package siemload.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.config.DaemonThread;
import siemload.run.RunHost.RunLauncher;

/**
 * Runs in processes of their own, as users start them, since Gatling runs once in a process and processor time is that of a
 * process. They end with this one. Thread-safe.
 */
public final class RunProcesses {
    /** The argument that tells such a process whose it is: it ends with that one, even where that one was killed. */
    private static final String PARENT = "-Dsiemload.parent=";

    private static final Pattern STARTED_BY = Pattern.compile(" " + PARENT + "(\\d{1,18}) ");
    private static final int ENDING_SECONDS = 60;

    private final RunLauncher launcher;
    private static final Set<Integer> SIGNALLED = Set.of(128 + 1, ExitCode.INTERRUPTED.number(), 128 + 15);

    private final List<Process> running = new ArrayList<>();
    private boolean stopped;

    /** Processes that end when the host's process stops. */
    public RunProcesses(RunHost host) {
        this.launcher = host.launcher();
        host.onShutdown(this::stop);
    }

    /** What such a process takes over of the environment. */
    public enum Environment {
        /** Everything: runs of a job go by what the job sets. */
        INHERITED,
        /** Nothing of ours: what a job sets for its own runs is not meant for these. */
        WITHOUT_SETTINGS
    }

    /**
     * Starts {@code siemload run}.
     *
     * @param options of the command line
     * @param log takes all that the run says
     * @throws IllegalStateException if this process is being stopped
     */
    public Process start(List<String> options, Path log, Environment environment) throws IOException {
        return start(options, log, variables(environment));
    }

    /** What such a process would get; a new map. */
    public Map<String, String> variables(Environment environment) {
        Map<String, String> variables = new HashMap<>(launcher.environment());
        if (environment == Environment.WITHOUT_SETTINGS) {
            variables.keySet().removeIf(name -> name.startsWith("SIEMLOAD_"));
        }
        return variables;
    }

    /** Starts a process with these variables and no others. */
    public Process start(List<String> options, Path log, Map<String, String> environment) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("run"));
        arguments.addAll(options);
        ProcessBuilder builder =
                builder(arguments, environment).redirectErrorStream(true).redirectOutput(log.toFile());
        Process process = start(builder);
        process.getOutputStream().close();
        return process;
    }

    /**
     * Starts {@code siemload inject}, which is told by its input what to do.
     *
     * @param via the shell's command that starts it, wherever; empty for a process of this machine
     */
    public Process startInjector(Optional<String> via) throws IOException {
        Map<String, String> environment = variables(Environment.WITHOUT_SETTINGS);
        return start(via.map(command -> with(environment, List.of("sh", "-c", command)))
                .orElseGet(() -> builder(List.of("inject"), environment)));
    }

    private ProcessBuilder builder(List<String> arguments, Map<String, String> environment) {
        List<String> command = new ArrayList<>(launcher.java());
        command.removeIf(argument -> argument.startsWith(PARENT));
        command.add(PARENT + ProcessHandle.current().pid());
        command.addAll(List.of("-cp", launcher.classPath(), launcher.mainClass()));
        command.addAll(arguments);
        return with(environment, command);
    }

    private static ProcessBuilder with(Map<String, String> environment, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder;
    }

    /** Starts any other one. @throws IllegalStateException if this process is being stopped */
    public synchronized Process start(ProcessBuilder builder) throws IOException {
        if (stopped) {
            throw new IllegalStateException("being stopped");
        }
        Process process = builder.start();
        running.add(process);
        return process;
    }

    /**
     * Whether somebody ended a process with this exit code by a signal: by HUP, INT or TERM. A terminal sends it to all processes of a
     * command at once, and a run may end before the one that waits for it knows. Java ends with 128 and the number of the signal where
     * the run has not begun.
     */
    public static boolean wasInterrupted(int exitCode) {
        return SIGNALLED.contains(exitCode);
    }

    /** Makes this process end, in good order, when the one that started it is gone. */
    public static void endWithParent(RunHost host) {
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith(PARENT))
                .map(argument -> Long.parseLong(argument.substring(PARENT.length())))
                .forEach(parent -> {
                    DaemonThread.start("siemload-parent", () -> endAfter(parent, host));
                });
    }

    private static void endAfter(long pid, RunHost host) {
        ProcessHandle.of(pid).ifPresent(parent -> parent.onExit().join());
        host.exit(ExitCode.INTERRUPTED);
    }

    /** Waits for runs of this machine whose parent was killed: they are about to end. */
    public void awaitOrphans() {
        ProcessHandle.allProcesses()
                .filter(this::isOrphan)
                .forEach(orphan -> orphan.onExit()
                        .completeOnTimeout(orphan, ENDING_SECONDS, TimeUnit.SECONDS)
                        .join());
    }

    /**
     * Whether it is a run whose parent is another one than it started with: the system has given it a new one. That of a run
     * in a container has another number there than here, but is still a siemload.
     */
    private boolean isOrphan(ProcessHandle process) {
        Matcher started = STARTED_BY.matcher(commandLine(process));
        return started.find()
                && process.parent()
                        .map(parent -> parent.pid() != Long.parseLong(started.group(1))
                                && !commandLine(parent).contains(launcher.mainClass()))
                        .orElse(true);
    }

    private static String commandLine(ProcessHandle process) {
        return process.info().commandLine().orElse("");
    }

    /** The exit code; a process that takes longer is told to end. */
    public static int await(Process process, Duration patience) throws InterruptedException {
        if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
            process.destroy();
        }
        return process.waitFor();
    }

    /** What a run said last, which is why it ended. */
    public static String lastLine(Path log) {
        try {
            return Files.readString(log).strip().lines().reduce("it said nothing", (before, line) -> line);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Ends all of them, and waits until they have stopped their servers. */
    public void stop() {
        List<Process> left;
        synchronized (this) {
            stopped = true;
            left = running.stream().filter(Process::isAlive).toList();
        }
        left.forEach(Process::destroy);
        try {
            for (Process process : left) {
                process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
