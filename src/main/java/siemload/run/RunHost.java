package siemload.run;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import siemload.config.Settings;
import siemload.database.provision.Listener;
import siemload.results.report.RunReports;
import siemload.run.procedure.Progress;

/**
 * The process a run lives in: where its settings come from, who hears what it says, and how it ends. Implemented by the
 * command line and found by {@link java.util.ServiceLoader}, so that a run which Gatling's Maven plugin started speaks
 * with the same voice as one started by the launcher. Thread-safe.
 */
public interface RunHost extends Progress, Listener {

    /**
     * All settings that the user gave.
     *
     * @throws siemload.config.ConfigException if one of them is unknown or out of range
     */
    Settings settings();

    /** The directory with {@code scenarios/} and {@code datasets/}. */
    Path home();

    /** What the user said of single variants of an experiment, by {@code url.NAME}. */
    default Map<String, String> variantOptions() {
        return Map.of();
    }

    /** How runs in processes of their own are started. */
    RunLauncher launcher();

    /** Other processes that load data sets, where the user asks for several; none where this one loads them alone. */
    default Optional<DatasetLoaders> loaders() {
        return Optional.empty();
    }

    /** Prints what a run has found, as much of it as the user wants to read. */
    void results(RunReports.Written reports);

    /**
     * Says how something is going: replaces the last such text on a terminal, and appears now and then elsewhere. An
     * empty text clears it.
     */
    @Override
    void status(String text);

    @Override
    void line(String text);

    /** Says at once why something ends before its time: until the others have ended as well, half a minute may pass. */
    default void stopping(String why) {
        status("");
        line("stopping: " + why);
    }

    /**
     * Says why the run cannot go on; the cause is shown where the user asked for details. Silent while the process is
     * being stopped, since what breaks then is not the reason.
     */
    void failure(String message, Throwable cause);

    /** Adds what to do when the process stops, by a signal or by its own end; the last one added is done first. */
    void onShutdown(Runnable action);

    /** Ends the process at once. */
    void exit(ExitCode code);

    /** Ends the process at once, without what is to be done when it stops: that did not come to an end. */
    void halt(ExitCode code);

    /**
     * Lets the process end with this code once everything else is done.
     *
     * @param why the last line says, as what follows "since"; empty where the user was told already
     */
    void endWith(ExitCode code, String why);
}
