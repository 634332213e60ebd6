package siemload.load.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.ExecListener;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.DaemonThread;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.load.injector.InjectorChannel;
import siemload.load.injector.InjectorHost;
import siemload.load.injector.LastWords;
import siemload.run.RunHost;
import siemload.run.RunPlan;

/**
 * Injectors as the pods of one Job in a cluster. The Job is made with the first of them, and deleted with all that belongs to it at
 * the end, however that comes about; where this process cannot do so any more, the cluster does. Thread-safe.
 */
public final class KubernetesInjectors implements InjectorHost {
    private static final Duration DELETION = Duration.ofSeconds(60);
    private static final long LOOK_MILLIS = 200;
    private static final int THREADS = 8;
    /** How long a pod may take until it runs: to be scheduled, and its image to be pulled. */
    private static final Duration POD_TIMEOUT = Duration.ofMinutes(5);

    private static final int RANDOM_LETTERS = 13;

    private final RunHost host;
    private final Cluster cluster;
    private final JobOrder order;
    private final Duration podTimeout;
    private final ScheduledExecutorService work =
            Executors.newScheduledThreadPool(THREADS, DaemonThread.named("siemload-pods"));
    private final List<PodChannel> channels;
    private Optional<SharedIndexInformer<Pod>> pods = Optional.empty();
    private boolean asked;
    private boolean closed;

    /** Those of an order that nobody has made yet. */
    KubernetesInjectors(RunHost host, Cluster cluster, JobOrder order, Duration podTimeout) {
        this.host = host;
        this.cluster = cluster;
        this.order = order;
        this.podTimeout = podTimeout;
        this.channels = IntStream.range(0, order.count())
                .mapToObj(index -> new PodChannel(order.name(), cluster::pod, work))
                .toList();
        host.onShutdown(this::close);
    }

    /**
     * Connects to the cluster of the settings, where nothing is made yet. Those of a load are to be opened before a run is: what was
     * started ends after the run has when this process stops.
     *
     * @param longest after how long the cluster is to end them, whatever becomes of this process
     * @throws ConfigException if there is no such cluster
     */
    public static KubernetesInjectors open(RunHost host, RunPlan plan, Duration longest) {
        Settings settings = plan.settings();
        Cluster cluster = Cluster.connect(settings);
        Optional<OwnPod> own = ownPod(cluster);
        JobOrder order = new JobOrder(
                "siemload-" + UUID.randomUUID().toString().substring(0, RANDOM_LETTERS),
                cluster.namespace(),
                plan.injectors(),
                settings.value(Property.IMAGE),
                settings.value(Property.CONTAINER_CPUS),
                settings.value(Property.CONTAINER_MEMORY),
                longest,
                own);
        return new KubernetesInjectors(host, cluster, order, POD_TIMEOUT);
    }

    /** A pod's host is named after it. */
    private static Optional<OwnPod> ownPod(Cluster cluster) {
        try {
            Path namespace = Path.of(Config.KUBERNETES_NAMESPACE_PATH);
            boolean isHere = Files.exists(namespace)
                    && Files.readString(namespace).strip().equals(cluster.namespace());
            return isHere
                    ? cluster.find(InetAddress.getLocalHost().getHostName()).flatMap(OwnPod::of)
                    : Optional.empty();
        } catch (IOException unnamed) {
            return Optional.empty();
        }
    }

    @Override
    public String place() {
        return "Kubernetes, namespace " + cluster.namespace();
    }

    @Override
    public synchronized InjectorChannel start(int index) throws IOException {
        if (closed) {
            throw new IllegalStateException("being stopped");
        }
        if (!asked) {
            makeJob();
        }
        return channels.get(index);
    }

    private void makeJob() throws IOException {
        // Also where no answer comes, it may have been made.
        asked = true;
        try {
            cluster.create(order.job());
            pods = Optional.of(cluster.follow(order.name(), new Following()));
        } catch (KubernetesClientException refused) {
            asked = !Refusal.isFinal(refused);
            throw new IOException("Job " + order.name() + ": " + Refusal.of(refused), refused);
        }
        var unused = work.schedule(this::requireRunning, podTimeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void requireRunning() {
        String ofJob = channels.stream().anyMatch(PodChannel::lacksPod) ? cluster.warnings(order.name()) : "";
        channels.forEach(channel -> channel.requireRunning(podTimeout, ofJob));
    }

    /** What becomes of the pods, in the order in which it does. */
    private final class Following implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            channel(pod).ifPresent(channel -> channel.see(pod));
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            channel(pod).ifPresent(channel -> channel.see(pod));
        }

        @Override
        public void onDelete(Pod pod, boolean unused) {
            channel(pod).ifPresent(channel -> channel.lose(pod));
        }

        private Optional<PodChannel> channel(Pod pod) {
            return Optional.ofNullable(pod.getMetadata().getAnnotations())
                    .map((Map<String, String> annotations) -> annotations.get(JobOrder.INDEX))
                    .map(Integer::parseInt)
                    .filter(index -> index < channels.size())
                    .map(channels::get);
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        channels.forEach(PodChannel::kill);
        if (asked) {
            delete();
        }
        pods.ifPresent(SharedIndexInformer::close);
        work.shutdownNow();
        cluster.close();
    }

    /** Where it cannot be deleted, everybody is told: injectors end by themselves, but the Job would stay for some minutes. */
    private void delete() {
        long until = System.nanoTime() + DELETION.toNanos();
        String why = "it is still there after " + DELETION.toSeconds() + " s";
        boolean told = false;
        while (System.nanoTime() - until < 0) {
            try {
                if (!told) {
                    cluster.delete(order.name());
                    told = true;
                }
                if (!cluster.has(order.name())) {
                    return;
                }
            } catch (KubernetesClientException refused) {
                why = Refusal.of(refused);
                if (Refusal.isFinal(refused)) {
                    break;
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        host.line("Job " + order.name() + " could not be deleted: " + why + " (kubectl --namespace "
                + cluster.namespace() + " delete job " + order.name() + ")");
    }

    /** A namespace of a cluster, as far as injectors need it: docs/kubernetes.md has the rights for it. Thread-safe. */
    static final class Cluster implements AutoCloseable {
        private static final int RETRIES = 2;

        private final KubernetesClient client;
        private final String namespace;

        private Cluster(KubernetesClient client, String namespace) {
            this.client = client;
            this.namespace = namespace;
        }

        /**
         * Connects to the cluster that the kubeconfig, or the pod that this process runs in, names.
         *
         * @throws ConfigException if there is none, or it does not answer, or lets nobody look at pods
         */
        static Cluster connect(Settings settings) {
            return connect(Config.autoConfigure(null), settings);
        }

        /** Connects as a configuration of the client says. */
        static Cluster connect(Config config, Settings settings) {
            Origin origin = settings.origin(Property.IMAGE);
            requireVerified(config, origin);
            String namespace = Optional.ofNullable(config.getNamespace())
                    .orElseThrow(() -> new ConfigException(
                            origin, "in which namespace? (kubectl config set-context --current --namespace NAME)"));
            Config patient = new ConfigBuilder(config)
                    .withRequestRetryBackoffLimit(RETRIES)
                    .build();
            Cluster cluster = new Cluster(
                    new KubernetesClientBuilder().withConfig(patient).build(), namespace);
            try {
                cluster.client
                        .pods()
                        .inNamespace(namespace)
                        .withLabel(JobOrder.JOB_LABEL, "none")
                        .list();
                return cluster;
            } catch (KubernetesClientException refused) {
                cluster.close();
                throw new ConfigException(
                        origin,
                        "no pods can be seen in namespace " + namespace + " of " + config.getMasterUrl() + ": "
                                + Refusal.of(refused) + " (docs/kubernetes.md has the rights that are needed)");
            }
        }

        /** The password of the database goes over it. */
        private static void requireVerified(Config config, Origin origin) {
            URI server = URI.create(config.getMasterUrl());
            boolean onThisMachine = "127.0.0.1".equals(server.getHost()) || "localhost".equals(server.getHost());
            if (config.isTrustCerts() || !("https".equals(server.getScheme()) || onThisMachine)) {
                throw new ConfigException(
                        origin,
                        "the connection to " + config.getMasterUrl()
                                + " would not be verified, and passwords go over it (give its"
                                + " certificate-authority in the kubeconfig, and no insecure-skip-tls-verify)");
            }
        }

        String namespace() {
            return namespace;
        }

        /** The pod of this name, if it is there and may be looked at. */
        Optional<Pod> find(String pod) {
            try {
                return Optional.ofNullable(pod(pod).get());
            } catch (KubernetesClientException unseen) {
                return Optional.empty();
            }
        }

        PodResource pod(String name) {
            return client.pods().inNamespace(namespace).withName(name);
        }

        /** Follows the pods of a Job until the result is closed. */
        SharedIndexInformer<Pod> follow(String job, ResourceEventHandler<Pod> handler) {
            SharedIndexInformer<Pod> informer = client.pods()
                    .inNamespace(namespace)
                    .withLabel(JobOrder.JOB_LABEL, job)
                    .runnableInformer(0);
            informer.addEventHandler(handler);
            informer.exceptionHandler((started, failure) -> true);
            informer.start().toCompletableFuture().join();
            return informer;
        }

        /** @throws KubernetesClientException if the cluster refuses it */
        void create(Job job) {
            client.batch().v1().jobs().inNamespace(namespace).resource(job).create();
        }

        /** What the cluster says that went wrong with a Job, the latest last; empty where nothing did, or nobody may look. */
        String warnings(String job) {
            try {
                return client
                        .v1()
                        .events()
                        .inNamespace(namespace)
                        .withField("involvedObject.name", job)
                        .list()
                        .getItems()
                        .stream()
                        .filter(event -> "Warning".equals(event.getType()))
                        .map(Event::getMessage)
                        .reduce("", (before, last) -> last);
            } catch (KubernetesClientException unseen) {
                return "";
            }
        }

        /** Asks the cluster to delete a Job after its pods. @throws KubernetesClientException if it refuses */
        void delete(String job) {
            client.batch()
                    .v1()
                    .jobs()
                    .inNamespace(namespace)
                    .withName(job)
                    .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                    .delete();
        }

        /** Whether there is such a Job, or anything of it. @throws KubernetesClientException if the cluster does not answer */
        boolean has(String job) {
            return client.batch()
                            .v1()
                            .jobs()
                            .inNamespace(namespace)
                            .withName(job)
                            .get()
                    != null;
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /**
     * The connection to an injector that is a pod: by attaching to it as soon as it runs. Whatever the cluster says of the pod that
     * means its end ends the connection, too. Thread-safe.
     */
    static final class PodChannel implements InjectorChannel {
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
            CompletableFuture<Void> unused = fate.completeOnTimeout(
                            otherwise, HEARSAY.toMillis(), TimeUnit.MILLISECONDS)
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
                endUnlessItHas(
                        "cannot be reached any more: the connection to it has failed (" + Refusal.of(cause) + ")");
            }

            @Override
            public void onClose(int code, String reason) {
                endUnlessItHas("cannot be reached any more: the connection to it has ended, and its pod goes on");
            }
        }

        /** What a cluster says of an injector's pod. Immutable. */
        sealed interface PodState {
            /** What a cluster goes on trying, although it is the same every time. */
            Set<String> HOPELESS = Set.of(
                    "InvalidImageName",
                    "ErrImageNeverPull",
                    "CreateContainerConfigError",
                    "CreateContainerError",
                    "RunContainerError");

            /** Reasons that say no more than the exit code. */
            Set<String> EMPTY_REASONS = Set.of("Error", "Completed");

            /**
             * It does not run yet.
             *
             * @param why as the cluster says it; empty where it says nothing
             */
            record Waiting(String why) implements PodState {}

            /** Its container runs. */
            record Running() implements PodState {}

            /**
             * It does not run any more, or never will.
             *
             * @param fate what became of it, as a predicate for people
             * @param lastWords what its container said at the end, as far as the cluster has kept it
             */
            record Over(String fate, String lastWords) implements PodState {}

            /** The state of a pod whose injector is the container of this name. */
            static PodState of(Pod pod, String container) {
                PodStatus status = Optional.ofNullable(pod.getStatus()).orElseGet(PodStatus::new);
                Optional<ContainerState> state = status.getContainerStatuses().stream()
                        .filter(one -> container.equals(one.getName()))
                        .findFirst()
                        .map(ContainerStatus::getState);
                Optional<ContainerStateTerminated> ended = state.map(ContainerState::getTerminated);
                String lastWords = ended.map(ContainerStateTerminated::getMessage)
                        .orElse("")
                        .strip();
                if (pod.getMetadata().getDeletionTimestamp() != null) {
                    return new Over("has ended: its pod is being deleted" + disruption(status), lastWords);
                }
                if ("Failed".equals(status.getPhase())
                        && !said(status.getReason()).isEmpty()) {
                    return new Over(
                            "has ended: its pod has failed" + in(status.getReason(), status.getMessage()), lastWords);
                }
                if (ended.isPresent()) {
                    return new Over("has ended" + exit(ended.orElseThrow()), lastWords);
                }
                if (state.map(ContainerState::getRunning).isPresent()) {
                    return new Running();
                }
                Optional<ContainerStateWaiting> waiting = state.map(ContainerState::getWaiting);
                String why = waiting.map(one -> colon(one.getReason(), one.getMessage()))
                        .orElseGet(() -> unscheduled(status));
                return waiting.map(ContainerStateWaiting::getReason)
                        .filter(HOPELESS::contains)
                        .<PodState>map(hopeless -> new Over("does not come to run: " + why, lastWords))
                        .orElseGet(() -> new Waiting(why));
            }

            private static String exit(ContainerStateTerminated ended) {
                String code = " with exit code " + ended.getExitCode();
                return EMPTY_REASONS.contains(said(ended.getReason())) ? code : code + in(ended.getReason(), "");
            }

            private static String unscheduled(PodStatus status) {
                return status.getConditions().stream()
                        .filter(condition ->
                                "PodScheduled".equals(condition.getType()) && "False".equals(condition.getStatus()))
                        .findFirst()
                        .map(condition -> colon(condition.getReason(), condition.getMessage()))
                        .orElse("");
            }

            /** Who deletes a pod that nobody asked for says why, as far as it is a part of the cluster. */
            private static String disruption(PodStatus status) {
                List<PodCondition> conditions = status.getConditions();
                return conditions.stream()
                        .filter(condition -> "DisruptionTarget".equals(condition.getType()))
                        .findFirst()
                        .map(condition -> in(condition.getReason(), condition.getMessage()))
                        .orElse("");
            }

            private static String in(String reason, String message) {
                String why = colon(reason, message);
                return why.isEmpty() ? "" : " (" + why + ")";
            }

            private static String colon(String reason, String message) {
                return Stream.of(said(reason), said(message))
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(": "));
            }

            /** The client knows no difference between what is not there and what is empty. */
            private static String said(String text) {
                return Optional.ofNullable(text).orElse("").strip();
            }
        }

        /**
         * What a pod is told. Over this kind of connection, an end of the input alone cannot be told: it is the end of the connection. And
         * where the connection has failed, the client says so by an exception of its own, which is one of the stream here. Used by one
         * thread.
         */
        static final class PodInput extends FilterOutputStream {
            private final Closeable connection;

            /**
             * Writes to a connection.
             *
             * @param input of the connection
             * @param connection ends with the input
             */
            PodInput(OutputStream input, Closeable connection) {
                super(input);
                this.connection = connection;
            }

            /** Something that the client does with the connection. */
            @FunctionalInterface
            private interface Step {
                void run() throws IOException;
            }

            @Override
            public void write(int single) throws IOException {
                onConnection(() -> out.write(single));
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                onConnection(() -> out.write(bytes, offset, length));
            }

            @Override
            public void flush() throws IOException {
                onConnection(out::flush);
            }

            @Override
            public void close() throws IOException {
                try {
                    onConnection(super::close);
                } finally {
                    onConnection(connection::close);
                }
            }

            private static void onConnection(Step step) throws IOException {
                try {
                    step.run();
                } catch (KubernetesClientException | IllegalStateException failed) {
                    throw new IOException("the connection has failed: " + Refusal.of(failed), failed);
                }
            }
        }
    }
}
