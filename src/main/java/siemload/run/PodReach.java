package siemload.run;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.Property;
import siemload.database.Provision;
import siemload.database.TargetPlugin;

/** Whether the pods of a cluster could reach the server of a run, as far as its address tells. Stateless. */
final class PodReach {
    /** What is an address already, so that nobody has to be asked for it. */
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    private PodReach() {}

    /** Why they could not, with what helps; empty where nothing speaks against it. */
    static Optional<String> refusal(RunPlan plan) {
        TargetPlugin plugin = plan.choice().plugin();
        if (!plugin.abilities().provisions().contains(Provision.EXTERNAL)) {
            // Each injector has one in its own process.
            return Optional.empty();
        }
        if (plan.choice().provision() != Provision.EXTERNAL) {
            return Optional.of(
                    "siemload would start it on this machine, for this machine alone (name one of yours: -Durl; or give -Dprovision=container where the image is the server's)");
        }
        return Stream.concat(Stream.of(plan.settings().value(Property.URL)), plan.readUrls().stream())
                .flatMap(url -> plugin.host(url).stream())
                .filter(PodReach::isLoopback)
                .findFirst()
                .map(host -> "in the url, " + host
                        + " is the machine itself, and each pod is one of its own (name the host as the"
                        + " cluster knows it)");
    }

    private static boolean isLoopback(String host) {
        String name = host.replaceAll("[\\[\\]]", "").toLowerCase(Locale.ROOT);
        if (!ADDRESS.matcher(name).matches()) {
            return name.equals("localhost") || name.endsWith(".localhost");
        }
        try {
            InetAddress address = InetAddress.getByName(name);
            return address.isLoopbackAddress() || address.isAnyLocalAddress();
        } catch (UnknownHostException unusable) {
            return false;
        }
    }
}
