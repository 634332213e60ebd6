package siemload.load.injector;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import siemload.config.DaemonThread;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/** Injectors as processes of this machine. Thread-safe. */
public final class LocalInjectors implements InjectorHost {
    private static final String PLACE = "this machine";

    private final RunProcesses processes;

    /** To be made before a run is opened: what it started ends after the run has when this process stops. */
    public LocalInjectors(RunHost host) {
        this.processes = new RunProcesses(host);
    }

    @Override
    public String place() {
        return PLACE;
    }

    @Override
    public InjectorChannel start(int index) throws IOException {
        return new ProcessChannel(processes.startInjector());
    }

    @Override
    public void close() {
        processes.stop();
    }

    /** The streams of a process. */
    private static final class ProcessChannel implements InjectorChannel {
        private final Process process;
        private final LastWords diagnostics = new LastWords();

        ProcessChannel(Process process) {
            this.process = process;
            DaemonThread.start("siemload-injector-errors", this::readErrors);
        }

        private void readErrors() {
            try (InputStream errors = process.getErrorStream()) {
                errors.transferTo(diagnostics);
            } catch (IOException ended) {
                // What was read is all there is.
            }
        }

        @Override
        public String place() {
            return PLACE;
        }

        @Override
        public InputStream output() {
            return process.getInputStream();
        }

        @Override
        public OutputStream input() {
            return process.getOutputStream();
        }

        @Override
        public String diagnostics() {
            return diagnostics.text();
        }

        @Override
        public CompletableFuture<String> fate() {
            return process.onExit().thenApply(ended -> "has ended with exit code " + ended.exitValue());
        }

        @Override
        public void kill() {
            process.destroyForcibly();
        }
    }
}
