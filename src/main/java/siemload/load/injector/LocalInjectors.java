package siemload.load.injector;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/** Injectors as processes of this machine. Thread-safe. */
public final class LocalInjectors implements InjectorHost {
    private final RunProcesses processes;

    /** To be made before a run is opened: what it started ends after the run has when this process stops. */
    public LocalInjectors(RunHost host) {
        this.processes = new RunProcesses(host);
    }

    @Override
    public String place() {
        return "this machine";
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
        private static final int MOST_DIAGNOSTICS = 16_384;

        private final Process process;
        private final StringBuilder diagnostics = new StringBuilder();

        ProcessChannel(Process process) {
            this.process = process;
            Thread reader = new Thread(this::readErrors, "siemload-injector-errors");
            reader.setDaemon(true);
            reader.start();
        }

        private void readErrors() {
            byte[] some = new byte[MOST_DIAGNOSTICS];
            try (InputStream errors = process.getErrorStream()) {
                for (int length = errors.read(some); length >= 0; length = errors.read(some)) {
                    add(new String(some, 0, length, StandardCharsets.UTF_8));
                }
            } catch (IOException ended) {
                // What was read is all there is.
            }
        }

        private synchronized void add(String text) {
            diagnostics.append(text);
            diagnostics.delete(0, Math.max(0, diagnostics.length() - MOST_DIAGNOSTICS));
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
        public synchronized String diagnostics() {
            return diagnostics.toString();
        }

        @Override
        public CompletableFuture<OptionalInt> exit() {
            return process.onExit().thenApply(ended -> OptionalInt.of(ended.exitValue()));
        }

        @Override
        public void kill() {
            process.destroyForcibly();
        }
    }
}
