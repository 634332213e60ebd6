package siemload.dataset.learn;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventProfile;
import siemload.dataset.EventProfile.Category;
import siemload.dataset.EventProfile.Detector;
import siemload.dataset.EventProfile.Endpoints;
import siemload.dataset.EventProfile.Port;
import siemload.dataset.statistics.Estimate;

/**
 * Where a learnt data set goes. Immutable.
 *
 * @param dataset the data set's file, whose name ends with {@code .yaml}
 * @param profile its profile, in a directory of such beside it
 */
public record LearntFiles(Path dataset, Path profile) {

    /** The two files of the data set in this file. */
    public static LearntFiles of(Path dataset) {
        return new LearntFiles(
                dataset, dataset.resolveSibling("profiles").resolve(String.valueOf(dataset.getFileName())));
    }

    /** The name of the data set. */
    String name() {
        String file = String.valueOf(dataset.getFileName());
        return file.substring(0, file.length() - ".yaml".length());
    }

    void write(LearntProfile learnt, Overwriting overwriting) {
        DatasetSpec spec = learnt.spec();
        String text = "# Learnt by ./siemload learn: as many events over as many hours as the original had.\n"
                + "description: \"" + spec.description() + "\"\n"
                + "events: " + spec.events() + "\n"
                + "start: " + spec.start() + "\n"
                + "span: " + spec.span().toHours() + "h\n"
                + "seed: " + spec.seed() + "\n"
                + "profile: profiles/" + profile.getFileName() + "\n";
        List<String> head = List.of(
                String.format(
                        Locale.ROOT,
                        "Learnt by ./siemload learn from %,d events. Behind each estimate stands",
                        spec.events()),
                "the interval that holds the true value in 95 of 100 streams, had they been generated from a profile.");
        try {
            Files.createDirectories(profile.toAbsolutePath().getParent());
            write(profile, ProfileText.of(spec.profile(), learnt.parameters(), head), overwriting);
            write(dataset, text, overwriting);
        } catch (IOException e) {
            throw new UncheckedIOException(dataset + " cannot be written", e);
        }
    }

    private static void write(Path file, String text, Overwriting overwriting) throws IOException {
        if (overwriting == Overwriting.REFUSED) {
            try {
                Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
            } catch (FileAlreadyExistsException e) {
                throw new IOException("it has come into being meanwhile", e);
            }
        } else {
            Files.writeString(file, text);
        }
    }

    /** Whether files that exist may be replaced. */
    public enum Overwriting {
        REFUSED,
        ALLOWED
    }

    /** A learnt profile as the YAML of {@code datasets/profiles}, with the interval of each estimate behind it. Not thread-safe. */
    private static final class ProfileText {
        private static final ObjectMapper JSON = new ObjectMapper();

        private final StringBuilder text = new StringBuilder();
        private final Map<String, Estimate> parameters;

        private ProfileText(Map<String, Estimate> parameters) {
            this.parameters = parameters;
        }

        /** @param head what stands above it, in comments */
        static String of(EventProfile profile, Map<String, Estimate> parameters, List<String> head) {
            ProfileText text = new ProfileText(parameters);
            head.forEach(line -> text.line("# " + line));
            text.line("");
            text.line("dayCurve: " + profile.dayCurve());
            text.top("ip6Ratio", number(profile.ip6Ratio()), "ip6Ratio");
            text.times(profile.times());
            text.categories(profile.categories());
            text.detectors(profile.detectors());
            text.endpoints("sources", profile.sources());
            text.endpoints("targets", profile.targets());
            text.targetKinds(profile.targetKinds());
            text.ports(profile.ports());
            text.details(profile.details());
            return text.text.toString();
        }

        private void times(EventProfile.Times times) {
            line("");
            line("times:");
            inner("times", "fractionRatio", number(times.fractionRatio()));
            inner("times", "longestEvent", duration(times.longestEvent()));
            inner("times", "longestDelay", duration(times.longestDelay()));
            inner("times", "eventTimeRatio", number(times.eventTimeRatio()));
            inner("times", "windowRatio", number(times.windowRatio()));
            inner("times", "window", duration(times.window()));
        }

        private void categories(EventProfile.Categories categories) {
            line("");
            line("categories:");
            inner("categories", "secondRatio", number(categories.secondRatio()));
            line("  shares:");
            for (Category category : categories.shares()) {
                line("    - category: " + quoted(category.name()));
                line("      share: " + share(category.share()) + interval("categories." + category.name()));
                if (!category.sourceTypes().isEmpty()) {
                    line("      sourceTypes: " + quoted(category.sourceTypes()));
                }
                line("      descriptions:");
                category.descriptions().forEach(description -> line("        - " + quoted(description)));
            }
        }

        private void detectors(EventProfile.Detectors detectors) {
            line("");
            line("detectors:");
            inner("detectors", "relayRatio", number(detectors.relayRatio()));
            line("  relay: " + quoted(detectors.relay()));
            line("  shares:");
            for (Detector detector : detectors.shares()) {
                String aggregation =
                        detector.aggregation().isEmpty() ? "" : ", aggregation: " + quoted(detector.aggregation());
                line("    - {name: " + quoted(detector.name()) + ", share: " + share(detector.share()) + ", types: "
                        + quoted(detector.types()) + ", software: " + quoted(detector.software()) + aggregation + "}"
                        + interval("detectors." + detector.name()));
            }
        }

        private void endpoints(String name, Endpoints endpoints) {
            line("");
            line(name + ":");
            inner(name, "addresses", Integer.toString(endpoints.addresses()));
            inner(name, "ip6Addresses", Integer.toString(endpoints.ip6Addresses()));
            inner(name, "rankRoot", number(endpoints.rankRoot()));
            inner(name, "scatteredNetworks", Integer.toString(endpoints.scatteredNetworks()));
            line("  networks: []");
            line("  known: []");
            line("  perEvent: " + weights(endpoints.perEvent()));
            inner(name, "portRatio", number(endpoints.portRatio()));
        }

        private void targetKinds(EventProfile.TargetKinds kinds) {
            line("");
            line("targetKinds:");
            inner("targetKinds", "single", Integer.toString(kinds.single()));
            inner("targetKinds", "network", Integer.toString(kinds.network()));
            inner("targetKinds", "portOnly", Integer.toString(kinds.portOnly()));
            inner("targetKinds", "none", Integer.toString(kinds.none()));
            line("  networkBits: " + weights(kinds.networkBits()));
            line("  ip6NetworkBits: " + kinds.ip6NetworkBits());
        }

        private void ports(EventProfile.Ports ports) {
            line("");
            line("ports:");
            line(ports.shares().isEmpty() ? "  shares: []" : "  shares:");
            for (Port port : ports.shares()) {
                line("    - {port: " + port.port() + ", share: " + share(port.share()) + ", protocols: "
                        + quoted(port.protocols()) + "}" + interval("ports." + port.port()));
            }
            line("  tail:");
            line("    share: " + share(ports.tail().share()) + interval("ports.tail.share"));
            line("    ports: " + ports.tail().ports() + interval("ports.tail.ports"));
            line("    rankRoot: " + number(ports.tail().rankRoot()) + interval("ports.tail.rankRoot"));
            line("    protocols: " + weights(ports.tail().protocols()));
        }

        private void details(EventProfile.Details details) {
            line("");
            line("details:");
            inner("details", "flowCountRatio", number(details.flowCountRatio()));
            inner("details", "connectionCountRatio", number(details.connectionCountRatio()));
            inner("details", "largestCount", Long.toString(details.largestCount()));
            inner("details", "noteRatio", number(details.noteRatio()));
            inner("details", "longestNote", Integer.toString(details.longestNote()));
            line("  notes:");
            details.notes().forEach(note -> line("    - " + quoted(note)));
            inner("details", "storageRatio", number(details.storageRatio()));
        }

        private void top(String key, String value, String path) {
            line(key + ": " + value + interval(path));
        }

        private void inner(String part, String key, String value) {
            line("  " + key + ": " + value + interval(part + "." + key));
        }

        private void line(String line) {
            text.append(line).append('\n');
        }

        private String interval(String path) {
            Estimate estimate = parameters.get(path);
            return estimate == null ? "" : "  # 95 %: " + of(estimate);
        }

        /** The interval in words. */
        static String of(Estimate estimate) {
            return Double.isInfinite(estimate.high())
                    ? shortened(estimate.low()) + " or more"
                    : shortened(estimate.low()) + " to " + shortened(estimate.high());
        }

        /** Whole numbers as they are, others with few digits, from 1,000 on without a fraction. */
        static String shortened(double value) {
            return value == Math.rint(value) && Math.abs(value) < 1e15
                    ? Long.toString((long) value)
                    : number(Math.abs(value) >= 1_000 ? Math.rint(value) : value);
        }

        private static String share(double share) {
            return number(Math.max(0.000_001, share));
        }

        private static String number(double value) {
            String digits = String.format(Locale.ROOT, "%.6f", value);
            return digits.replaceAll("0+$", "").replaceAll("[.]$", "");
        }

        private static String duration(Duration duration) {
            return duration.toSeconds() + "s";
        }

        private static String weights(Map<?, Integer> weights) {
            return weights.entrySet().stream()
                    .map(entry -> (entry.getKey() instanceof String name ? quoted(name) : entry.getKey()) + ": "
                            + entry.getValue())
                    .collect(Collectors.joining(", ", "{", "}"));
        }

        private static String quoted(List<String> texts) {
            return texts.stream().map(ProfileText::quoted).collect(Collectors.joining(", ", "[", "]"));
        }

        private static String quoted(String plain) {
            try {
                return JSON.writeValueAsString(plain);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("a text always has a JSON form", e);
            }
        }
    }
}
