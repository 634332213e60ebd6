package siemload.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.run.ExitCode;

/**
 * Runs in processes of their own, as users start them, since Gatling runs once in a process and processor time is that of a
 * process. They end with this one. Thread-safe.
 */
final class RunProcesses {
    /** The property that tells such a process whose it is: it ends with that one, even where that one was killed. */
    private static final String PARENT = "siemload.parent";

    private static final Pattern STARTED_BY = Pattern.compile(" -D" + PARENT + "=(\\d{1,18}) ");
    private static final int ENDING_SECONDS = 60;

    private final List<Process> running = new ArrayList<>();
    private boolean stopped;

    RunProcesses(ProcessHost host) {
        host.onShutdown(this::stop);
    }

    /** What such a process takes over of the environment. */
    enum Environment {
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
    synchronized Process start(List<String> options, Path log, Environment environment) throws IOException {
        if (stopped) {
            throw new IllegalStateException("being stopped");
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> !argument.startsWith("-D" + PARENT))
                .forEach(command::add);
        command.add("-D" + PARENT + "=" + ProcessHandle.current().pid());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "run"));
        command.addAll(options);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        if (environment == Environment.WITHOUT_SETTINGS) {
            builder.environment().keySet().removeIf(name -> name.startsWith("SIEMLOAD_"));
        }
        Process process = builder.start();
        process.getOutputStream().close();
        running.add(process);
        return process;
    }

    /** Makes this process end, in good order, when the one that started it is gone. */
    static void endWithParent() {
        String parent = System.getProperty(PARENT, "");
        if (!parent.isEmpty()) {
            Thread watch = new Thread(() -> endAfter(Long.parseLong(parent)), "siemload-parent");
            watch.setDaemon(true);
            watch.start();
        }
    }

    private static void endAfter(long pid) {
        ProcessHandle.of(pid).ifPresent(parent -> parent.onExit().join());
        System.exit(ExitCode.INTERRUPTED.number());
    }

    /** Waits for runs of this machine whose parent was killed: they are about to end. */
    static void awaitOrphans() {
        ProcessHandle.allProcesses()
                .filter(RunProcesses::isOrphan)
                .forEach(orphan -> orphan.onExit()
                        .completeOnTimeout(orphan, ENDING_SECONDS, TimeUnit.SECONDS)
                        .join());
    }

    /**
     * Whether it is a run whose parent is another one than it started with: the system has given it a new one. That of a run
     * in a container has another number there than here, but is still a siemload.
     */
    private static boolean isOrphan(ProcessHandle process) {
        Matcher started = STARTED_BY.matcher(commandLine(process));
        return started.find()
                && process.parent()
                        .map(parent -> parent.pid() != Long.parseLong(started.group(1))
                                && !commandLine(parent).contains(Main.class.getName()))
                        .orElse(true);
    }

    private static String commandLine(ProcessHandle process) {
        return process.info().commandLine().orElse("");
    }

    /** The exit code; a process that takes longer is told to end. */
    static int await(Process process, Duration patience) throws InterruptedException {
        if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
            process.destroy();
        }
        return process.waitFor();
    }

    /** What a run said last, which is why it ended. */
    static String lastLine(Path log) {
        try {
            return Files.readString(log).strip().lines().reduce("it said nothing", (before, line) -> line);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Ends all of them, and waits until they have stopped their servers. */
    private void stop() {
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
