package siemload.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ServiceLoader;
import java.util.function.Function;
import siemload.config.ConfigException;
import siemload.scenario.ScenarioReader;
import siemload.target.TargetException;

/**
 * Sees to it that whatever goes wrong ends in one clear message and the right exit code, and that an interrupt ends in
 * results. Stateless and thread-safe.
 */
public final class RunGuard {
    private RunGuard() {}

    /**
     * Opens the run that the process's settings describe and makes something of it. If that fails the process ends.
     *
     * @param use what to make of the run; from then on an interrupt ends the run with results
     */
    public static <T> T open(Function<LoadRun, T> use) {
        RunHost host = host();
        Resources resources = new Resources();
        host.onShutdown(resources::close);
        try {
            LoadRun run = LoadRun.open(host, resources);
            host.onShutdown(run::interrupt);
            return use.apply(run);
        } catch (RuntimeException | Error failed) {
            resources.close();
            host.exit(report(host, failed));
            throw failed;
        }
    }

    /** Whether the scenario that the process's settings name is a procedure; a scenario that cannot be read is none. */
    public static boolean isProcedure() {
        RunHost host = host();
        try {
            return ScenarioReader.read(host.home(), host.settings())
                    .scenario()
                    .procedure()
                    .isPresent();
        } catch (ConfigException saidByTheRun) {
            return false;
        }
    }

    /**
     * Follows the procedure of the process's settings to its end. If it cannot be begun the process ends.
     *
     * @return how the process should end
     */
    public static ExitCode followProcedure() {
        RunHost host = host();
        Resources resources = new Resources();
        host.onShutdown(resources::close);
        try {
            ProcedureRun run = ProcedureRun.open(host, resources);
            host.onShutdown(run::interrupt);
            return run.follow();
        } catch (RuntimeException | Error failed) {
            resources.close();
            host.exit(report(host, failed));
            throw failed;
        }
    }

    /** The same, and ends the process. */
    public static void followProcedureToTheEnd() {
        host().exit(followProcedure());
    }

    /** Says what went wrong. */
    public static ExitCode report(RunHost host, Throwable failure) {
        host.status("");
        if (failure instanceof ConfigException || failure instanceof UncheckedIOException) {
            host.failure(String.valueOf(failure.getMessage()), failure);
            return ExitCode.INVALID_INPUT;
        }
        if (failure instanceof IOException) {
            // Gatling is Scala and throws it unannounced, for instance when its report does not fit on the disk.
            host.failure("a file could not be read or written: " + failure.getMessage() + reason(failure), failure);
            return ExitCode.INVALID_INPUT;
        }
        if (failure instanceof TargetException) {
            host.failure(String.valueOf(failure.getMessage()), failure);
            return ExitCode.TARGET_FAILED;
        }
        if (failure instanceof OutOfMemoryError) {
            host.failure(outOfMemory(), failure);
            return ExitCode.INVALID_INPUT;
        }
        host.failure("a bug in siemload: " + failure + " (-Dverbose=true shows where)", failure);
        return ExitCode.BUG;
    }

    /** Java leaves the commonest reasons to the name of the class. */
    private static String reason(Throwable failure) {
        if (failure instanceof AccessDeniedException) {
            return " (permission denied)";
        }
        if (failure instanceof NoSuchFileException) {
            return " (there is no such file or directory)";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return " (it exists and is not what is needed)";
        }
        return "";
    }

    private static String outOfMemory() {
        return "out of memory: this Java process may use "
                + (Runtime.getRuntime().maxMemory() >> 20)
                + " MB (give it more: SIEMLOAD_JAVA_OPTS=-Xmx2g for ./siemload, -Dgatling.jvmArgs=-Xmx2g for Maven;"
                + " or use fewer -Dworkers)";
    }

    private static RunHost host() {
        return ServiceLoader.load(RunHost.class)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no RunHost on the class path"));
    }
}
