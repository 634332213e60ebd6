package siemload.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.config.Problem;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.scenario.rate.CapturedRate;
import siemload.scenario.rate.ConstantRate;
import siemload.scenario.rate.Rate;
import siemload.scenario.rate.RateText;

/**
 * Reads the feeder of a scenario. Its rate is written as {@code eps}, events a second, or as {@code rate}, which may change
 * with time; the properties of these names take the place of both.
 */
record FeederReader(Settings settings, ValueLog log, Problems problems) {
    static final Feeder NONE = new Feeder(ConstantRate.NONE, 50, 1);

    private static final ValueType<Rate> RATE = RateText.ofCaptured(10_000_000);
    private static final ValueType<Integer> CONNECTIONS = ValueType.wholeNumber(1, 1000);

    /** The feeder that is written here, or none, with what settings change about it. */
    Feeder read(Optional<YamlNode> written) {
        Feeder feeder = written.map(this::feeder).orElseGet(this::none);
        return new Feeder(
                rate(feeder.rate()),
                log.override("feeder.batch", Property.BATCH, feeder.batch()),
                feeder.connections());
    }

    private Feeder none() {
        log.put("feeder.eps", "0", new Origin.Default());
        log.put("feeder.batch", Integer.toString(NONE.batch()), new Origin.Default());
        log.put("feeder.connections", Integer.toString(NONE.connections()), new Origin.Default());
        return NONE;
    }

    private Feeder feeder(YamlNode node) {
        log.optional(node, "profile", ValueType.choice(Choices.names(List.of("constant"))), "constant");
        Optional<YamlNode> changing = node.optional("rate");
        changing.ifPresent(unused -> node.optional("eps")
                .ifPresent(constant -> constant.problem("says the rate a second time (leave eps or rate out)")));
        return new Feeder(
                changing.map(rate -> log.value(rate, RATE))
                        .orElseGet(() -> new ConstantRate(log.required(node, "eps", Property.EPS.type()))),
                log.optional(node, "batch", Property.BATCH.type(), Integer.toString(NONE.batch())),
                log.optional(node, "connections", CONNECTIONS, Integer.toString(NONE.connections())));
    }

    private Rate rate(Rate written) {
        Optional<Setting> changing = settings.setting(Property.RATE);
        if (changing.isEmpty()) {
            if (settings.setting(Property.EPS).isEmpty()) {
                return written;
            }
            log.remove("feeder.rate");
            return new ConstantRate(log.override("feeder.eps", Property.EPS, 0.0));
        }
        settings.setting(Property.EPS)
                .ifPresent(constant -> problems.add(
                        constant.origin(),
                        "says the feeder's rate a second time, beside rate (leave one of them out)"));
        log.remove("feeder.eps");
        return parsed(changing.get());
    }

    private Rate parsed(Setting setting) {
        log.put("feeder.rate", setting.value(), setting.origin());
        try {
            return RATE.parse(setting.value());
        } catch (IllegalArgumentException wrong) {
            problems.add(setting.origin(), String.valueOf(wrong.getMessage()));
            return ConstantRate.NONE;
        }
    }

    /** A feeder that never fills a batch while measuring would have no rate to speak of. */
    void check(Feeder feeder, Phases phases) {
        if (!problems.isEmpty() || !feeder.isOn() || feeder.rate() instanceof CapturedRate) {
            return;
        }
        double start = seconds(phases.warmup());
        double events = feeder.rate().dueUntil(start + seconds(phases.measurement()))
                - feeder.rate().dueUntil(start);
        if (events < feeder.batch()) {
            Origin origin = Stream.of("feeder.batch", "feeder.eps", "feeder.rate", "phases.measurement")
                    .map(log::origin)
                    .filter(place -> !(place instanceof Origin.Default))
                    .findFirst()
                    .orElse(new Origin.Default());
            problems.add(new Problem(
                    origin,
                    "feeder.batch",
                    feeder.batch() + " events a batch are never filled while measuring (" + feeder.rate() + " for "
                            + Durations.format(phases.measurement()) + " allow at most " + (long) events + ")",
                    ""));
        }
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }
}
