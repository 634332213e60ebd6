package siemload.compare.capacity;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import siemload.compare.experiment.ExperimentPlan;
import siemload.compare.experiment.SeparateRun;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.run.RunHost;
import siemload.run.RunPlan;
import siemload.scenario.Feeder;
import siemload.scenario.LoadModel;
import siemload.scenario.Objective;
import siemload.scenario.Phases;
import siemload.scenario.rate.Rate;

/**
 * A question whose loads are known to be possible. Immutable.
 *
 * @param secondsOfRun how long each run takes, roughly, without loading the data set, which is kept for later runs
 * @param seed of the first run; each later one has the next, so that chance differs between runs of one load
 */
public record CapacityPlan(CapacityQuestion question, double secondsOfRun, long seed) {
    private static final int POINTS = 5;

    /**
     * What the user said of the search.
     *
     * @param varied what grows: one, or two for a frontier
     * @param least the smallest load; that of what grows unless given
     * @param start where the search begins; the scenario's own load unless given
     * @param most the largest load; 1024 times the first one unless given
     * @param precisionPercent half of the width of the interval at which a search ends
     * @param mostRuns of each search
     * @param points of a frontier; 5 unless given
     * @param against values of another load, beside each of which the largest one is looked for
     */
    public record Request(
            List<VariedLoad> varied,
            Optional<Double> least,
            Optional<Double> start,
            Optional<Double> most,
            double precisionPercent,
            int mostRuns,
            Optional<Integer> points,
            Optional<Against> against) {
        public Request {
            varied = List.copyOf(varied);
        }
    }

    /**
     * Values of a load that were given.
     *
     * @param loads 0 where there may be nothing of it; at least one
     */
    public record Against(VariedLoad varied, List<Double> loads) {
        public Against {
            loads = List.copyOf(loads);
        }
    }

    /** The question of what the user said. @throws ConfigException if it cannot be asked */
    public static CapacityPlan of(RunHost host, Request request) {
        Map<String, String> settings = ExperimentPlan.ofJob(host);
        request.varied().forEach(varied -> requireFree(host, varied, "vary"));
        request.against().ifPresent(against -> requireFree(host, against.varied(), "against"));
        RunPlan own = ExperimentPlan.run(host, settings);
        requireSearchers(own, host);
        List<VariedLoad.Range> ranges = new ArrayList<>();
        for (VariedLoad varied : request.varied()) {
            LoadBounds bounds = new LoadBounds(own, varied);
            ranges.add(
                    ranges.isEmpty() ? bounds.range(request.least(), request.start(), request.most()) : bounds.range());
        }
        request.against().ifPresent(against -> ranges.add(LoadBounds.between(against)));
        List<Double> levels = request.against()
                .map(against -> against.loads().stream().sorted().toList())
                .orElse(List.of());
        CapacityQuestion question = new CapacityQuestion(
                settings.getOrDefault(Property.SCENARIO.name(), ""),
                ranges,
                points(request),
                levels,
                own.scenario().objectives().stream().map(Objective::text).toList(),
                settings,
                request.precisionPercent() / 100,
                request.mostRuns());
        for (VariedLoad.Range range : ranges) {
            requirePossible(question, range.varied(), range.least(), host);
            requirePossible(question, range.varied(), range.most(), host);
        }
        return new CapacityPlan(
                question, own.expectedSeconds().orElse(0) + SeparateRun.AROUND_A_RUN_SECONDS, own.seed());
    }

    private static int points(Request request) {
        if (request.varied().size() == 1) {
            return request.against().map(against -> against.loads().size()).orElse(1);
        }
        return request.points().orElse(POINTS);
    }

    private static void requireFree(RunHost host, VariedLoad varied, String option) {
        List<Property<?>> given = varied == VariedLoad.EVENTS_PER_SECOND
                ? List.of(varied.property(), Property.RATE)
                : List.of(varied.property());
        given.forEach(property -> host.settings().setting(property).ifPresent(setting -> {
            throw new ConfigException(
                    setting.origin(),
                    "says how many " + varied.unit() + ", which "
                            + (option.equals("vary")
                                    ? "is what --vary " + varied.label()
                                            + " looks for (leave it out; --start says where to begin)"
                                    : "--against says, too (leave one of them out)"));
        }));
    }

    private static void requireSearchers(RunPlan own, RunHost host) {
        Origin origin = host.settings().origin(Property.SCENARIO);
        if (own.isProcedure()) {
            throw new ConfigException(
                    origin,
                    own.scenario().name() + " is a procedure, which is held to no objectives (name a scenario with"
                            + " analysts)");
        }
        if (own.scenario().objectives().isEmpty()) {
            throw new ConfigException(
                    origin,
                    own.scenario().name() + " has no objectives that a load could miss (give one:"
                            + " --objective \"all responseTime p95 < 2s\")");
        }
    }

    /** What is wrong with one end of a range is known before the first run, and not after the last. */
    private static void requirePossible(CapacityQuestion question, VariedLoad varied, double load, RunHost host) {
        Map<String, String> settings = new LinkedHashMap<>(question.settings());
        settings.put(varied.property().name(), VariedLoad.number(load));
        try {
            ExperimentPlan.run(host, settings);
        } catch (ConfigException impossible) {
            throw new ConfigException(
                    new Origin.WholeFile(question.scenario() + ", " + varied.words(load)),
                    String.valueOf(impossible.getMessage()));
        }
    }

    /** For people, before anything starts. */
    public List<String> describe() {
        List<String> lines = new ArrayList<>();
        lines.add(question.scenario() + ": " + question.objectives().size()
                + (question.objectives().size() == 1 ? " objective: " : " objectives: ")
                + String.join(", ", question.objectives()));
        for (VariedLoad.Range range : question.varied()) {
            boolean given =
                    !range.equals(question.first()) && !question.against().isEmpty();
            lines.add("  " + range.varied().label() + ": "
                    + (given
                            ? "at "
                                    + question.against().stream()
                                            .map(VariedLoad::number)
                                            .collect(Collectors.joining(", "))
                            : "from " + range.varied().words(range.start()) + ", between "
                                    + VariedLoad.number(range.least()) + " and " + VariedLoad.number(range.most())));
        }
        String searches = question.points() == 1 ? "" : " in " + question.points() + " searches";
        lines.add("  until known within " + VariedLoad.number(100 * question.precisionRatio()) + " %; at most "
                + question.runs() + " runs" + searches + ", "
                + SeparateRun.roughly(question.runs() * secondsOfRun) + " at most");
        return List.copyOf(lines);
    }

    /**
     * Between which loads of a scenario is searched, and where that begins. Immutable.
     *
     * @param plan the scenario as it is without the search
     */
    private record LoadBounds(RunPlan plan, VariedLoad varied) {
        /** Ten times doubled. */
        private static final double WIDEST = 1024;

        /** Values that were given. @throws ConfigException where one of them cannot be */
        static VariedLoad.Range between(Against against) {
            VariedLoad varied = against.varied();
            double smallest = varied == VariedLoad.EVENTS_PER_SECOND ? 0 : varied.smallest();
            for (double load : against.loads()) {
                if (!(load >= smallest && load <= varied.limit()) || varied.rounded(load) != load) {
                    throw new ConfigException(
                            new Origin.Option("against"),
                            BigDecimal.valueOf(load).stripTrailingZeros().toPlainString() + " cannot be a number of "
                                    + varied.unit() + " (allowed: "
                                    + varied.numbers() + ", from " + VariedLoad.number(smallest) + " to "
                                    + VariedLoad.number(varied.limit()) + ")");
                }
            }
            double least = against.loads().stream().min(Double::compare).orElseThrow();
            double most = against.loads().stream().max(Double::compare).orElseThrow();
            return new VariedLoad.Range(varied, least, least, most);
        }

        /** The range where nothing is said of it. */
        VariedLoad.Range range() {
            return range(Optional.empty(), Optional.empty(), Optional.empty());
        }

        /** @throws ConfigException where an end lies beyond another one, or beyond what can be run */
        VariedLoad.Range range(Optional<Double> least, Optional<Double> start, Optional<Double> most) {
            double begin = start.orElseGet(this::own);
            if (begin == 0) {
                throw new ConfigException(
                        new Origin.Option("start"),
                        "is missing: the scenario has no " + varied.unit() + " that could be doubled (give a number"
                                + (varied == VariedLoad.EVENTS_PER_SECOND
                                        ? ", for example 100)"
                                        : ", or another --vary)"));
            }
            double smallest = least.orElseGet(() -> Math.min(begin, smallest(begin)));
            double largest = most.orElseGet(() -> Math.min(varied.limit(), varied.rounded(begin * WIDEST)));
            double own = start.isPresent() ? begin : Math.min(largest, Math.max(smallest, begin));
            require("least", smallest, 0, largest);
            require("most", largest, smallest, varied.limit());
            require("start", own, smallest, largest);
            return new VariedLoad.Range(varied, smallest, own, largest);
        }

        private void require(String option, double load, double low, double high) {
            if (load <= 0 || load < low || load > high || varied.rounded(load) != load) {
                throw new ConfigException(
                        new Origin.Option(option),
                        VariedLoad.number(load) + " cannot be a number of " + varied.unit() + " here (allowed: "
                                + varied.numbers() + ", with --least <="
                                + " --start <= --most, above 0 and up to " + VariedLoad.number(varied.limit()) + ")");
            }
        }

        /** The load of the scenario; 0 where it has none. */
        private double own() {
            return switch (varied) {
                case USERS ->
                    plan.scenario().analysts().stream()
                            .mapToDouble(group -> group.load() instanceof LoadModel.Closed closed ? closed.users() : 0)
                            .sum();
                case EVENTS_PER_SECOND ->
                    varied.rounded(mean(plan.scenario().feeder().rate()));
                case ARRIVALS ->
                    varied.rounded(plan.scenario().analysts().stream()
                            .mapToDouble(
                                    group -> group.load() instanceof LoadModel.Open open ? mean(open.arrivals()) : 0)
                            .sum());
            };
        }

        private double mean(Rate rate) {
            Phases phases = plan.scenario().phases();
            double begin = phases.warmup().toSeconds();
            return rate.isNone()
                    ? 0
                    : rate.mean(begin, begin + phases.measurement().toSeconds());
        }

        /** One user a group; a batch of the feeder while measuring; of users who arrive so few that hardly any comes. */
        private double smallest(double begin) {
            return switch (varied) {
                case USERS ->
                    plan.scenario().analysts().stream()
                            .filter(group -> group.load() instanceof LoadModel.Closed)
                            .count();
                case EVENTS_PER_SECOND -> {
                    Feeder feeder = plan.scenario().feeder();
                    yield Math.max(
                            1,
                            Math.ceil((double) feeder.batch()
                                    / plan.scenario().phases().measurement().toSeconds()));
                }
                case ARRIVALS -> Math.max(0.001, varied.rounded(begin / WIDEST));
            };
        }
    }
}
