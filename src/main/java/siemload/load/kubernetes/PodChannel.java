package siemload.load.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.ExecListener;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import siemload.load.injector.InjectorChannel;
import siemload.load.injector.LastWords;

/**
 * The connection to an injector that is a pod: by attaching to it as soon as it runs. Whatever the cluster says of the pod that
 * means its end ends the connection, too. Thread-safe.
 */
final class PodChannel implements InjectorChannel {
    /** How long after its output a pod's end is heard of, if it has ended. */
    private static final Duration HEARSAY = Duration.ofSeconds(5);

    private final String job;
    private final Function<String, PodResource> pods;
    private final ScheduledExecutorService work;
    private final LastWords errors = new LastWords();
    private final CompletableFuture<ExecWatch> connection = new CompletableFuture<>();
    private final CompletableFuture<String> fate = new CompletableFuture<>();
    private final AtomicBoolean attaching = new AtomicBoolean();
    private volatile Optional<String> name = Optional.empty();
    private volatile String waitingFor = "";
    private volatile String lastWords = "";

    /**
     * A pod that is to come.
     *
     * @param job whose pod it is
     * @param pods finds one by its name
     * @param work for what takes a moment, and for what has to wait
     */
    PodChannel(String job, Function<String, PodResource> pods, ScheduledExecutorService work) {
        this.job = job;
        this.pods = pods;
        this.work = work;
    }

    /** Takes what the cluster says of the pod now; returns at once. */
    void see(Pod pod) {
        String found = pod.getMetadata().getName();
        boolean isFirst = name.isEmpty();
        if (isFirst) {
            name = Optional.of(found);
        } else if (!name.orElseThrow().equals(found)) {
            return;
        }
        PodState state = PodState.of(pod, JobOrder.CONTAINER);
        if (state instanceof PodState.Waiting waiting) {
            waitingFor = waiting.why();
        } else if (state instanceof PodState.Running) {
            attachOnce(found);
        } else if (state instanceof PodState.Over over) {
            lastWords = over.lastWords();
            end(over.fate());
        }
    }

    /** The cluster does not have the pod any more. */
    void lose(Pod pod) {
        if (name.filter(pod.getMetadata().getName()::equals).isPresent()) {
            end("has ended: its pod was deleted");
        }
    }

    /**
     * Gives a pod up that does not run by now.
     *
     * @param ofJob what the cluster says of the Job, for one that has no pod
     */
    void requireRunning(Duration after, String ofJob) {
        if (!attaching.get()) {
            String what = name.isPresent() ? "does not run after " : "has no pod after ";
            String why = name.isPresent() ? waitingFor : ofJob;
            end(what + after.toSeconds() + " s" + (why.isEmpty() ? "" : ": " + why));
        }
    }

    /** Whether there is no pod yet. */
    boolean lacksPod() {
        return name.isEmpty();
    }

    @Override
    public String place() {
        return name.map(found -> "pod " + found).orElse("no pod of Job " + job);
    }

    @Override
    public InputStream output() throws IOException {
        return connected().getOutput();
    }

    @Override
    public OutputStream input() throws IOException {
        ExecWatch connected = connected();
        return new PodInput(connected.getInput(), connected);
    }

    private ExecWatch connected() throws IOException {
        try {
            return connection.get();
        } catch (ExecutionException neverRan) {
            throw new IOException(fate.join(), neverRan.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("is not waited for any more");
        }
    }

    @Override
    public String diagnostics() {
        String said = errors.text();
        return said.isEmpty() ? lastWords : said;
    }

    @Override
    public CompletableFuture<String> fate() {
        return fate.copy();
    }

    @Override
    public void kill() {
        end("was ended");
    }

    private void attachOnce(String pod) {
        if (!attaching.getAndSet(true)) {
            work.execute(() -> attach(pods.apply(pod)));
        }
    }

    private void attach(PodResource pod) {
        try {
            ExecWatch attached = pod.inContainer(JobOrder.CONTAINER)
                    .redirectingInput()
                    .redirectingOutput()
                    .writingError(errors)
                    .usingListener(new Ending())
                    .attach();
            if (!connection.complete(attached)) {
                attached.close();
            }
        } catch (KubernetesClientException refused) {
            endUnlessItHas("cannot be attached to: " + Refusal.of(refused));
        }
    }

    /** What became of the pod says more than what became of the connection. */
    private void endUnlessItHas(String otherwise) {
        CompletableFuture<Void> unused = fate.completeOnTimeout(otherwise, HEARSAY.toMillis(), TimeUnit.MILLISECONDS)
                .thenAccept(this::disconnect);
    }

    private void end(String what) {
        if (fate.complete(what)) {
            work.execute(() -> disconnect(what));
        }
    }

    private void disconnect(String what) {
        if (!connection.completeExceptionally(new IOException(what)) && !connection.isCompletedExceptionally()) {
            connection.join().close();
        }
    }

    /** The end of the connection. */
    private final class Ending implements ExecListener {
        @Override
        public void onFailure(Throwable cause, Response unused) {
            endUnlessItHas("cannot be reached any more: the connection to it has failed (" + Refusal.of(cause) + ")");
        }

        @Override
        public void onClose(int code, String reason) {
            endUnlessItHas("cannot be reached any more: the connection to it has ended, and its pod goes on");
        }
    }
}
