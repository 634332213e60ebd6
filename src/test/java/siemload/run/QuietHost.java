package siemload.run;

import java.nio.file.Path;
import java.util.List;
import siemload.config.Settings;
import siemload.results.report.RunReports;
import siemload.run.RunHost.RunLauncher;

/**
 * A host that keeps what it is told for people, and has nothing else: whatever would need more fails the test.
 *
 * @param lines what was said, in its order
 */
public record QuietHost(List<String> lines) implements RunHost {
    @Override
    public Settings settings() {
        throw new UnsupportedOperationException("nobody asks for settings");
    }

    @Override
    public Path home() {
        return Path.of("");
    }

    @Override
    public RunLauncher launcher() {
        throw new UnsupportedOperationException("nobody starts a run");
    }

    @Override
    public void line(String text) {
        lines.add(text);
    }

    @Override
    public void results(RunReports.Written reports) {
        lines.add(RunReports.summary(reports.run()) + RunReports.ending(reports.run()));
    }

    @Override
    public void status(String text) {}

    @Override
    public void failure(String message, Throwable cause) {
        throw new AssertionError(message, cause);
    }

    @Override
    public void onShutdown(Runnable action) {}

    @Override
    public void exit(ExitCode code) {
        throw new AssertionError("nobody ends the process");
    }

    @Override
    public void endWith(ExitCode code, String why) {}
}
