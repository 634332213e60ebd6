package siemload.load.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import siemload.config.ConfigException;
import siemload.config.DaemonThread;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.load.injector.InjectorChannel;
import siemload.load.injector.InjectorHost;
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
}
