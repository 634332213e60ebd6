package siemload.compare.capacity;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import siemload.compare.experiment.ExperimentPlan;
import siemload.compare.experiment.SeparateRun;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.run.RunHost;
import siemload.run.RunPlan;
import siemload.scenario.AnalystGroup;
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
    /** Ten times doubled. */
    private static final double WIDEST = 1024;

    /**
     * What the user said of the search.
     *
     * @param varied what grows
     * @param least the smallest load; that of what grows unless given
     * @param start where the search begins; the scenario's own load unless given
     * @param most the largest load; 1024 times the first one unless given
     * @param precisionPercent half of the width of the interval at which a search ends
     * @param mostRuns of each search
     * @param beside another load, at values of which the largest one is looked for
     * @param against these values, different ones; empty where nothing is given beside what grows
     */
    public record Request(
            VariedLoad varied,
            Optional<Double> least,
            Optional<Double> start,
            Optional<Double> most,
            double precisionPercent,
            int mostRuns,
            VariedLoad beside,
            List<Double> against) {
        public Request {
            against = against.stream().sorted().toList();
        }
    }

    /** The question of what the user said. @throws ConfigException if it cannot be asked */
    public static CapacityPlan of(RunHost host, Request request) {
        Map<String, String> settings = ExperimentPlan.ofJob(host);
        requireFree(
                host,
                request.varied(),
                "is what --vary " + request.varied().label()
                        + " looks for (leave it out; --start says where to begin)");
        if (!request.against().isEmpty()) {
            requireFree(host, request.beside(), "--against says, too (leave one of them out)");
        }
        RunPlan own = ExperimentPlan.run(host, settings);
        requireObjectives(own, host.settings().origin(Property.SCENARIO));
        List<VariedLoad.Range> ranges = new ArrayList<>(List.of(range(own, request)));
        if (!request.against().isEmpty()) {
            ranges.add(given(request.beside(), request.against()));
        }
        for (VariedLoad.Range range : ranges) {
            requirePossible(settings, range.varied(), range.least(), host);
            requirePossible(settings, range.varied(), range.most(), host);
        }
        CapacityQuestion question = new CapacityQuestion(
                settings.getOrDefault(Property.SCENARIO.name(), ""),
                ranges,
                request.against(),
                own.scenario().objectives().stream().map(Objective::text).toList(),
                settings,
                request.precisionPercent() / 100,
                request.mostRuns());
        return new CapacityPlan(
                question, own.expectedSeconds().orElse(0) + SeparateRun.AROUND_A_RUN_SECONDS, own.seed());
    }

    private static void requireFree(RunHost host, VariedLoad varied, String otherwise) {
        List<Property<?>> given = new ArrayList<>(List.of(varied.property()));
        if (varied == VariedLoad.EVENTS_PER_SECOND) {
            given.add(Property.RATE);
        }
        given.forEach(property -> host.settings().setting(property).ifPresent(setting -> {
            throw new ConfigException(setting.origin(), "says how many " + varied.unit() + ", which " + otherwise);
        }));
    }

    private static void requireObjectives(RunPlan own, Origin origin) {
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
    private static void requirePossible(Map<String, String> settings, VariedLoad varied, double load, RunHost host) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put(varied.property().name(), VariedLoad.number(load));
        try {
            ExperimentPlan.run(host, all);
        } catch (ConfigException impossible) {
            throw new ConfigException(
                    new Origin.WholeFile(
                            settings.getOrDefault(Property.SCENARIO.name(), "") + ", " + varied.words(load)),
                    String.valueOf(impossible.getMessage()));
        }
    }

    /** For people, before anything starts. */
    public List<String> describe() {
        List<String> lines = new ArrayList<>();
        lines.add(question.scenario() + ": " + question.objectives().size()
                + (question.objectives().size() == 1 ? " objective: " : " objectives: ")
                + String.join(", ", question.objectives()));
        VariedLoad.Range first = question.first();
        lines.add("  " + first.varied().label() + ": from " + first.varied().words(first.start()) + ", between "
                + VariedLoad.number(first.least()) + " and " + VariedLoad.number(first.most()));
        if (question.hasFrontier()) {
            lines.add("  " + question.varied().get(1).varied().label() + ": at "
                    + question.against().stream().map(VariedLoad::number).collect(Collectors.joining(", ")));
        }
        lines.add("  until known within " + VariedLoad.number(100 * question.precisionRatio()) + " %; at most "
                + question.runs() + " runs"
                + (question.searches() == 1 ? "" : " in " + question.searches() + " searches") + ", "
                + SeparateRun.roughly(question.runs() * secondsOfRun) + " at most");
        return lines;
    }

    /** Values that were given. @throws ConfigException where one of them cannot be */
    private static VariedLoad.Range given(VariedLoad varied, List<Double> against) {
        double smallest = varied == VariedLoad.EVENTS_PER_SECOND ? 0 : varied.smallest();
        for (double load : against) {
            if (!(load >= smallest && load <= varied.limit()) || varied.rounded(load) != load) {
                throw new ConfigException(
                        new Origin.Option("against"),
                        BigDecimal.valueOf(load).stripTrailingZeros().toPlainString() + " cannot be a number of "
                                + varied.unit() + " (allowed: "
                                + varied.numbers() + ", from " + VariedLoad.number(smallest) + " to "
                                + VariedLoad.number(varied.limit()) + ")");
            }
        }
        return new VariedLoad.Range(varied, against.get(0), against.get(0), against.get(against.size() - 1));
    }

    /** Among which loads is searched. @throws ConfigException where an end lies beyond another one, or beyond what can be run */
    private static VariedLoad.Range range(RunPlan plan, Request request) {
        VariedLoad varied = request.varied();
        double begin = request.start().orElseGet(() -> own(plan, varied));
        if (begin == 0) {
            throw new ConfigException(
                    new Origin.Option("start"),
                    "is missing: the scenario has no " + varied.unit() + " that could be doubled (give a number"
                            + (varied == VariedLoad.EVENTS_PER_SECOND ? ", for example 100)" : ", or another --vary)"));
        }
        double least = request.least().orElseGet(() -> Math.min(begin, smallest(plan, varied, begin)));
        double most = request.most().orElseGet(() -> Math.min(varied.limit(), varied.rounded(begin * WIDEST)));
        double start = request.start().isPresent() ? begin : Math.min(most, Math.max(least, begin));
        require(varied, "least", least, 0, most);
        require(varied, "most", most, least, varied.limit());
        require(varied, "start", start, least, most);
        return new VariedLoad.Range(varied, least, start, most);
    }

    private static void require(VariedLoad varied, String option, double load, double low, double high) {
        if (load <= 0 || load < low || load > high || varied.rounded(load) != load) {
            throw new ConfigException(
                    new Origin.Option(option),
                    VariedLoad.number(load) + " cannot be a number of " + varied.unit() + " here (allowed: "
                            + varied.numbers() + ", with --least <= --start <= --most, above 0 and up to "
                            + VariedLoad.number(varied.limit()) + ")");
        }
    }

    /** The load of the scenario; 0 where it has none. */
    private static double own(RunPlan plan, VariedLoad varied) {
        return switch (varied) {
            case USERS -> sum(plan, group -> group.load() instanceof LoadModel.Closed closed ? closed.users() : 0);
            case EVENTS_PER_SECOND ->
                varied.rounded(mean(plan, plan.scenario().feeder().rate()));
            case ARRIVALS ->
                varied.rounded(sum(
                        plan, group -> group.load() instanceof LoadModel.Open open ? mean(plan, open.arrivals()) : 0));
        };
    }

    private static double sum(RunPlan plan, ToDoubleFunction<AnalystGroup> of) {
        return plan.scenario().analysts().stream().mapToDouble(of).sum();
    }

    private static double mean(RunPlan plan, Rate rate) {
        Phases phases = plan.scenario().phases();
        double begin = phases.warmup().toSeconds();
        return rate.isNone() ? 0 : rate.mean(begin, begin + phases.measurement().toSeconds());
    }

    /** One user a group; a batch of the feeder while measuring; of users who arrive so few that hardly any comes. */
    private static double smallest(RunPlan plan, VariedLoad varied, double begin) {
        return switch (varied) {
            case USERS -> sum(plan, group -> group.load() instanceof LoadModel.Closed ? 1 : 0);
            case EVENTS_PER_SECOND -> {
                Feeder feeder = plan.scenario().feeder();
                double seconds = plan.scenario().phases().measurement().toSeconds();
                yield Math.max(1, Math.ceil(feeder.batch() / seconds));
            }
            case ARRIVALS -> Math.max(0.001, varied.rounded(begin / WIDEST));
        };
    }
}
